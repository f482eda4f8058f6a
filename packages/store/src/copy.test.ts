import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type CopyProgress,
  inspectSqlite,
  peekSqlite,
  sequencesOf,
  settleMainCopy,
  sizeOfSqlite,
  snapshotOf,
} from './copy.ts'

let dir: string
let live: Database.Database
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'watchpost-copy-'))
  live = new Database(join(dir, 'watchpost.db'))
  live.pragma('journal_mode = WAL')
  live.pragma('synchronous = OFF')
  live.exec(
    'create table sequences (name text primary key, value bigint not null); create table usage_folds (day integer)',
  )
  live.exec('create table items (id integer primary key, body blob)')
})
afterEach(async () => {
  live.close()
  await rm(dir, { recursive: true, force: true })
})

const add = (count: number) => {
  const insert = live.prepare('insert into items (body) values (zeroblob(4000))')
  live.transaction(() => {
    for (let each = 0; each < count; each++) insert.run()
  })()
}
/** @returns false where there is nothing to copy */
const copy = async (from: string, progress: CopyProgress = () => undefined) => {
  const source = snapshotOf(join(dir, from))
  await source?.copyTo(join(dir, 'copy.db'), progress).finally(() => source.close())
  return source !== undefined
}
const look = (path: string) => inspectSqlite(path, { check: 'full', count: ['items', 'none'], isCopy: true })

test('a copy is of the moment it began, and ends although others commit all the time', async () => {
  add(5000)
  const steps: number[] = []
  const copied = await copy('watchpost.db', done => {
    steps.push(done)
    add(1)
  })
  expect(copied).toBe(true)
  expect(steps.length).toBeGreaterThan(3)
  expect(steps).toEqual(steps.toSorted((a, b) => a - b))
  expect(look(join(dir, 'copy.db'))).toMatchObject({ problems: [], counts: { items: 5000 } })
  expect(live.prepare('select count(*) as count from items').get()).toEqual({ count: 5000 + steps.length })
  // What is only in the log counts, too.
  expect(sizeOfSqlite(join(dir, 'watchpost.db'))).toBeGreaterThan(5000 * 4000)
})

test('a copy that is stopped lets go of everything', async () => {
  add(5000)
  const stopped = copy('watchpost.db', () => {
    throw new Error('enough')
  })
  await expect(stopped).rejects.toThrow('enough')
  // A read transaction that was still open would keep the log from being emptied.
  expect(live.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }])
})

test('what is gone by the time it is its turn is no failure', async () => {
  expect(await copy('gone.db')).toBe(false)
  expect(sizeOfSqlite(join(dir, 'gone.db'))).toBe(0)
})

test('ids that were given away meanwhile are not given again', async () => {
  live.exec(`insert into sequences values ('app', 5), ('team', 2)`)
  live.exec('insert into usage_folds values (20260101)')
  await copy('watchpost.db')
  live.exec(`update sequences set value = 9 where name = 'app'; insert into sequences values ('channel', 1)`)
  const sequences = () => {
    const copied = new Database(join(dir, 'copy.db'), { readonly: true })
    const rows = copied.prepare('select name, value from sequences order by name').all()
    const folds = copied.prepare('select count(*) as count from usage_folds').get()
    copied.close()
    return [rows, folds]
  }
  const expected = [
    { name: 'app', value: 9 },
    { name: 'channel', value: 1 },
    { name: 'team', value: 2 },
  ]
  const given = sequencesOf(join(dir, 'watchpost.db'))
  settleMainCopy(join(dir, 'copy.db'), { sequences: given, withoutTelemetry: false })
  expect(sequences()).toEqual([expected, { count: 1 }])
  settleMainCopy(join(dir, 'copy.db'), { sequences: given, withoutTelemetry: true })
  expect(sequences()).toEqual([expected, { count: 0 }])
})

test('what is no database, or no whole one, is a problem and not an end', async () => {
  writeFileSync(join(dir, 'other.db'), 'x'.repeat(10_000))
  expect(look(join(dir, 'other.db')).problems).toEqual([expect.stringMatching(/not a database/)])
  expect(look(join(dir, 'other.db')).trouble).toBe(undefined)
})

test('what cannot be read now is trouble, and no damage', () => {
  expect(look(join(dir, 'gone.db'))).toMatchObject({ problems: [], trouble: 'SQLITE_CANTOPEN' })
  live.pragma('journal_mode = DELETE')
  live.exec('begin exclusive')
  expect(look(join(dir, 'watchpost.db'))).toMatchObject({ problems: [], trouble: 'SQLITE_BUSY' })
})

test('a look leaves a log that a server left behind as it is', () => {
  add(100)
  const left = ['watchpost.db', 'watchpost.db-wal']
  mkdirSync(join(dir, 'left'))
  for (const name of left) copyFileSync(join(dir, name), join(dir, 'left', name))
  const bytes = () => left.map(name => readFileSync(join(dir, 'left', name)).toString('base64'))
  const before = bytes()
  const path = join(dir, 'left', 'watchpost.db')
  expect(inspectSqlite(path, { check: 'quick', count: ['items'], isCopy: false }).counts).toEqual({ items: 100 })
  expect(peekSqlite(path, 'select count(*) as count from items', false)).toEqual({ count: 100 })
  expect(bytes()).toEqual(before)
})
