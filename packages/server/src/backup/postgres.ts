import { spawn } from 'node:child_process'
import { lookAtPostgres } from '@watchpost/store'
import { OperatorError } from '../config.ts'
import type { Progress } from './progress.ts'

const ofDay = '[0-9]'.repeat(8)
/** Tables whose rows are telemetry, as patterns: by far the most. Those of a day are all that are named so. */
const telemetryTables = [
  `telemetry_*_${ofDay}`,
  `points_*_${ofDay}`,
  'telemetry_requests',
  'metric_series',
  'metric_series_hours',
  'metric_rollups',
]

/** @returns the newest migration in it */
export async function schemaOfPostgres(url: string): Promise<number> {
  const { migrations } = await lookAtPostgres(url)
  if (migrations.length === 0) throw new OperatorError('There is no Watchpost in that database')
  return Math.max(...migrations)
}

/** PostgreSQL's own copy, of one moment. */
export async function dumpPostgres(
  url: string,
  file: string,
  withTelemetry: boolean,
  progress: Progress,
): Promise<void> {
  const { schema } = await lookAtPostgres(url)
  const left = withTelemetry ? [] : telemetryTables.map(name => `--exclude-table-data=${schema}.${name}`)
  const args = ['--format=custom', '--no-owner', '--no-privileges', `--schema=${schema}`, ...left, `--file=${file}`]
  await runOn(url, 'pg_dump', args)
  progress.check()
}

/** All of a dump or nothing. @throws {OperatorError} with what `pg_restore` said */
export async function restorePostgres(url: string, file: string): Promise<void> {
  const { schema } = await lookAtPostgres(url)
  const args = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction', `--schema=${schema}`]
  await runOn(url, 'pg_restore', args, file)
}

/** How many tables have rows in a dump; undefined where `pg_restore` is not there to say it. */
export async function tablesOfDump(file: string): Promise<number | undefined> {
  const listed = await runProgram('pg_restore', ['--list', file], {})
  if (listed === 'not there') return undefined
  if (listed.code !== 0) throw new Error(`pg_restore cannot read it: ${listed.stderr}`)
  return listed.stdout.split('\n').filter(line => / TABLE DATA /.test(line)).length
}

async function runOn(url: string, program: string, args: string[], file?: string): Promise<void> {
  const { target, password } = withoutPassword(url)
  const all = [...args, `--dbname=${target}`, ...(file === undefined ? [] : [file])]
  const ran = await runProgram(program, all, password === undefined ? {} : { PGPASSWORD: password })
  if (ran === 'not there') {
    // What is half is gone by then.
    const words = [program, ...all].map(word => word.replace('.partial/database.dump', '.dump'))
    const command = words.map(word => (/^[\w./:=@-]+$/.test(word) ? word : `'${word}'`)).join(' ')
    throw new OperatorError(
      `There is no ${program} here; install PostgreSQL's client programs, of its version or a newer one, or run where they are: ${command}`,
    )
  }
  if (ran.code !== 0) throw new OperatorError(`${program}: ${ran.stderr}`)
}

/** Everybody on the host sees the arguments of a program. */
export function withoutPassword(text: string): { target: string; password: string | undefined } {
  const url = new URL(text)
  const password =
    url.searchParams.get('password') ?? (url.password === '' ? undefined : decodeURIComponent(url.password))
  url.password = ''
  url.searchParams.delete('password')
  return { target: url.href, password: password ?? undefined }
}

interface ProgramRun {
  code: number | null
  stdout: string
  /** In one line, with what comes first: the rest follows from it. */
  stderr: string
}

function runProgram(program: string, args: string[], env: Record<string, string>): Promise<ProgramRun | 'not there'> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', chunk => {
      stdout += chunk
    })
    child.stderr.on('data', chunk => {
      if (stderr.length < 10_000) stderr += chunk
    })
    child.on('error', error => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') resolve('not there')
      else reject(error)
    })
    child.on('close', code => resolve({ code, stdout, stderr: oneLine(stderr, program) }))
  })
}

function oneLine(text: string, program: string): string {
  const lines = text.split('\n').map(line => line.replace(new RegExp(`^${program}: (error: )?`), '').trim())
  return lines
    .filter(line => line !== '')
    .slice(0, 4)
    .join('; ')
}
