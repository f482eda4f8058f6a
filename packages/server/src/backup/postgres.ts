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
  // What it takes are patterns, without regard to case but for what is quoted.
  const quoted = `"${schema.replaceAll('"', '""')}"`
  const left = withTelemetry ? [] : telemetryTables.map(name => `--exclude-table-data=${quoted}.${name}`)
  const args = ['--format=custom', '--no-owner', '--no-privileges', `--schema=${quoted}`, ...left, `--file=${file}`]
  await runOn(url, 'pg_dump', args, progress)
}

/** All of a dump or nothing. @throws {OperatorError} with what `pg_restore` said */
export async function restorePostgres(url: string, file: string, progress: Progress): Promise<void> {
  const { schema } = await lookAtPostgres(url)
  const args = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction', `--schema=${schema}`]
  await runOn(url, 'pg_restore', args, progress, file)
}

/** @throws {OperatorError} where there is none: what it would fill is not to be moved aside for nothing */
export async function requirePgRestore(progress: Progress): Promise<void> {
  if ((await runProgram('pg_restore', ['--version'], {}, progress)) !== 'not there') return
  throw new OperatorError(`There is no pg_restore here; ${install}`)
}

const install = "install PostgreSQL's client programs, of its version or a newer one"

/** How many tables have rows in a dump; undefined where `pg_restore` is not there to say it. */
export async function tablesOfDump(file: string, progress: Progress): Promise<number | undefined> {
  const listed = await runProgram('pg_restore', ['--list', file], {}, progress)
  if (listed === 'not there') return undefined
  if (listed.code !== 0) throw new Error(`pg_restore cannot read it: ${listed.stderr}`)
  return listed.stdout.split('\n').filter(line => / TABLE DATA /.test(line)).length
}

async function runOn(url: string, program: string, args: string[], progress: Progress, file?: string): Promise<void> {
  const { target, password } = withoutPassword(url)
  const all = [...args, `--dbname=${target}`, ...(file === undefined ? [] : [file])]
  const ran = await runProgram(program, all, password === undefined ? {} : { PGPASSWORD: password }, progress)
  if (ran === 'not there') {
    // What is half is gone by then.
    const words = [program, ...all].map(word => word.replace('.partial/database.dump', '.dump'))
    const command = words
      .map(word => (/^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
      .join(' ')
    throw new OperatorError(`There is no ${program} here; ${install}, or run where they are: ${command}`)
  }
  if (ran.code !== 0) throw new OperatorError(`${program}: ${ran.stderr}`)
}

/** Everybody on the host sees the arguments of a program. */
export function withoutPassword(text: string): { target: string; password: string | undefined } {
  const url = new URL(text)
  const password =
    url.searchParams.get('password') ?? (url.password === '' ? undefined : decodeURIComponent(url.password))
  url.password = ''
  // As it is but for that: written anew, a space would be a plus, which PostgreSQL's programs take for one.
  const others = url.search.slice(1).split('&')
  url.search = others.filter(part => !part.startsWith('password=')).join('&')
  return { target: url.href, password: password ?? undefined }
}

interface ProgramRun {
  code: number | null
  stdout: string
  /** In one line, with what comes first: the rest follows from it. */
  stderr: string
}

/** @throws {StoppedError} once it has ended, where it was stopped: one that had done its work by then has */
async function runProgram(
  program: string,
  args: string[],
  env: Record<string, string>,
  progress: Progress,
): Promise<ProgramRun | 'not there'> {
  progress.check()
  const { stopping } = progress
  const ran = await new Promise<ProgramRun | 'not there'>((resolve, reject) => {
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
    // What asks us to end need not reach it: only a terminal tells both.
    const stop = () => child.kill(stopping.reason)
    stopping.addEventListener('abort', stop)
    child.on('close', code => {
      stopping.removeEventListener('abort', stop)
      resolve({ code, stdout, stderr: oneLine(stderr, program) })
    })
  })
  if (ran === 'not there' || ran.code !== 0) progress.check()
  return ran
}

function oneLine(text: string, program: string): string {
  const lines = text.split('\n').map(line => line.replace(new RegExp(`^${program}: (error: )?`), '').trim())
  return lines
    .filter(line => line !== '')
    .slice(0, 4)
    .join('; ')
}
