import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, lookAtPostgres } from '@watchpost/store'
import { newPlace, type Place } from '@watchpost/store/testing'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { saidIn } from '../testing/said.ts'
import { withoutPassword } from './postgres.ts'

let dir: string
let place: Place
let url: string
const path = process.env.PATH
const said = (...argv: string[]) =>
  saidIn({ WATCHPOST_DATABASE_URL: url, WATCHPOST_INSTANCE_KEY: 'a key of thirty-two random bytes' }, argv)

/** Stands for a program of PostgreSQL, and notes how it was called. */
function fake(name: string, script: string): void {
  const file = join(dir, 'bin', name)
  writeFileSync(
    file,
    `#!/bin/sh\necho "$@" > ${dir}/${name}.args\necho "$PGPASSWORD" > ${dir}/${name}.password\n${script}\n`,
  )
  chmodSync(file, 0o755)
  process.env.PATH = `${join(dir, 'bin')}:${path}`
}
const dumping = `for each; do case "$each" in --file=*) echo a dump > "\${each#--file=}";; esac; done`
const noted = (name: string) => readFileSync(join(dir, name), 'utf8').trim()

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'watchpost-dump-'))
  await mkdir(join(dir, 'bin'))
  place = await newPlace('postgres')
  url = place.databaseUrl as string
  expect(await said('bootstrap', '--json')).toMatchObject({ code: 0 })
})
afterEach(() => {
  process.env.PATH = path
})
afterAll(async () => {
  await place.remove()
  await rm(dir, { recursive: true, force: true })
})

test('a password is said to the program, and not on its command line', async () => {
  fake('pg_dump', dumping)
  fake('pg_restore', 'echo "1; 2 TABLE DATA public teams x"')
  const backup = join(dir, 'one')
  expect(await said('backup', 'create', backup, '--without-telemetry')).toMatchObject({ code: 0 })
  expect(noted('pg_dump.password')).toBe('postgres')
  expect(noted('pg_dump.args')).toMatch(
    /--format=custom .*--schema="public" --exclude-table-data="public"\.telemetry_\*_\[0-9\]/,
  )
  expect(noted('pg_dump.args')).not.toContain(':postgres@')
  expect(await said('backup', 'verify', backup)).toMatchObject({ code: 0, out: expect.stringContaining('1 tables') })
  expect(noted('one/instance.key')).toBe('a key of thirty-two random bytes')
})

test.each([
  ['postgres://ada:a%40b%2Fc@db/x?sslmode=require', 'postgres://ada@db/x?sslmode=require', 'a@b/c'],
  ['postgres://db/x?password=s', 'postgres://db/x', 's'],
  ['postgres://db/x?options=-c%20a%3Db&password=s', 'postgres://db/x?options=-c%20a%3Db', 's'],
  ['postgres://ada@db:6432/x', 'postgres://ada@db:6432/x', undefined],
])('%s without its password', (given, target, password) => {
  expect(withoutPassword(given)).toEqual({ target, password })
})

test('without the program it is said what to run, and nothing is left', async () => {
  process.env.PATH = join(dir, 'nothing')
  const { code, err } = await said('backup', 'create', join(dir, 'none'))
  expect([code, err]).toEqual([1, expect.stringContaining('There is no pg_dump here; install')])
  expect(err).toMatch(/pg_dump --format=custom .*--file=\S+\/none\.dump --dbname=postgres:\/\/postgres@127/)
  expect([existsSync(join(dir, 'none')), existsSync(join(dir, 'none.partial'))]).toEqual([false, false])
})

test('what the program says is passed on', async () => {
  fake('pg_dump', 'echo "pg_dump: error: the disk is full" >&2; exit 1')
  const { code, err } = await said('backup', 'create', join(dir, 'none'))
  expect([code, err]).toEqual([1, 'watchpost-server: pg_dump: the disk is full\n'])
})

test('a database in use, or not empty, is not restored into; a restore that fails leaves it as it was', async () => {
  const backup = join(dir, 'one')
  const user: Db = await place.open()
  fake('pg_restore', 'case "$*" in *--list*) echo "1; 2 TABLE DATA public teams x";; *) echo no >&2; exit 1;; esac')
  const inUse = await said('backup', 'restore', backup, '--force')
  expect(inUse).toMatchObject({
    code: 1,
    err: expect.stringMatching(/in use by another connection \(.+ of postgres at 127/),
  })
  await user.close()
  await until(async () => (await lookAtPostgres(url)).others.length === 0)
  const full = await said('backup', 'restore', backup)
  expect(full).toMatchObject({ code: 1, err: expect.stringContaining('not empty') })
  const before = await lookAtPostgres(url)
  const failed = await said('backup', 'restore', backup, '--force')
  expect(failed).toMatchObject({ code: 1, err: 'watchpost-server: pg_restore: no\n' })
  const { tables, migrations, schema } = await lookAtPostgres(url)
  expect({ tables, migrations, schema }).toEqual({
    tables: before.tables,
    migrations: before.migrations,
    schema: before.schema,
  })
})

test('nothing is moved aside for a program that is not there', async () => {
  // For it to be verified, it must not be there from the beginning.
  process.env.PATH = join(dir, 'nothing')
  const { code, err } = await said('backup', 'restore', join(dir, 'one'), '--force')
  expect([code, err]).toEqual([1, expect.stringMatching(/^watchpost-server: There is no pg_restore here; install/)])
  // What is there would be in the way of a command that is run by hand.
  expect(err).not.toContain('--dbname')
  expect((await lookAtPostgres(url)).migrations.length).toBeGreaterThan(0)
})

test('a schema is named as it is, with its case and its quotes', async () => {
  fake('pg_dump', dumping)
  const schema = '"Watch ""x"'
  await administer(`create schema ${schema};
    create table ${schema}.schema_migrations (id integer); insert into ${schema}.schema_migrations values (1)`)
  const before = url
  url = `${url}?options=${encodeURIComponent(`-c search_path=${schema.replace(' ', '\\ ')}`)}`
  expect((await lookAtPostgres(url)).schema).toBe('Watch "x')
  const made = await said('backup', 'create', join(dir, 'cased'))
  url = before
  expect([made.code, noted('pg_dump.args')]).toEqual([0, expect.stringContaining(`--schema=${schema} `)])
})

test.each([
  ['create', 'pg_dump', 'nothing is left of it'],
  ['verify', 'pg_restore', 'whether it is whole is not known'],
])('who stops %s stops %s', async (command, name, words) => {
  fake(name, `echo $$ > ${dir}/${name}.pid; exec sleep 60`)
  rmSync(join(dir, `${name}.pid`), { force: true })
  const program = new URL('../bin.ts', import.meta.url).pathname
  const path = join(dir, command === 'create' ? 'stopped' : 'one')
  const child = spawn(process.execPath, [program, 'backup', command, path, '--json'], {
    env: { ...process.env, WATCHPOST_DATABASE_URL: command === 'create' ? url : '' },
  })
  let [out, err] = ['', '']
  child.stdout.on('data', chunk => {
    out += chunk
  })
  child.stderr.on('data', chunk => {
    err += chunk
  })
  const ended = once(child, 'close')
  await until(async () => existsSync(join(dir, `${name}.pid`)) && noted(`${name}.pid`) !== '')
  child.kill('SIGTERM')
  expect(await ended).toEqual([1, null])
  // A stop is no problem of a backup.
  expect([out, err]).toEqual(['', `watchpost-server: Stopped by SIGTERM; ${words}\n`])
  expect(() => process.kill(Number(noted(`${name}.pid`)), 0)).toThrow('ESRCH')
  expect(existsSync(join(dir, 'stopped.partial'))).toBe(false)
})

// Whoever has programs as new as the database sees the whole way; an older one refuses, and says why.
test('with the programs of this host', async () => {
  const backup = join(dir, 'real')
  const made = await said('backup', 'create', backup)
  if (made.code !== 0) {
    expect(made.err).toMatch(/There is no pg_dump here|server version mismatch|not usable|Please install/i)
    return
  }
  const restored = await said('backup', 'restore', backup, '--force')
  expect(restored).toMatchObject({ code: 0, err: expect.stringContaining('schema before_restore_') })
  const db = await place.open()
  expect(await db.all({ name: 'test', sql: 'select name from teams' }, {})).toEqual([{ name: 'My team' }])
  await db.close()
})

async function administer(sql: string): Promise<void> {
  const db = await place.open()
  await db.script(sql)
  await db.close()
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(resolve => setTimeout(resolve, 20))
}
