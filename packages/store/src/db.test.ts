import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { ConflictError, type Db, UnavailableError } from './db.ts'
import { listPage } from './list.ts'
import { migrate } from './migrate.ts'
import { openDb } from './open.ts'
import { query } from './queries/query.ts'
import { eachEngine, newPlace, type Place } from './testing/engines.ts'

const put = query('thing.put', 'insert into things (id, name, size) values (@id, @name, @size)')
const rename = query('thing.rename', 'update things set name = @name where id = @id and name = @old')
const names = query<{ name: string }>('thing.names', 'select name from things order by id')
const some = query<{ id: number }>('thing.some', 'select id from things where id in (@ids...) order by id')
const wipe = query('thing.wipe', 'delete from things')
const take = query<{ size: number }>('thing.take', 'update things set size = size + 1 where id = @id returning size')
const one = (id: number, name = `n${id}`, size: number | null = null) => ({ query: put, params: { id, name, size } })

const schema = [
  { id: 1, name: 'things', sql: 'create table things (id bigint primary key, name text not null, size bigint)' },
]

eachEngine((engine, newPlace) => {
  let place: Place
  let db: Db
  beforeAll(async () => {
    place = await newPlace()
    db = await place.open()
    await migrate(db, schema)
  })
  beforeEach(async () => {
    await db.commit([{ query: wipe, params: {} }])
  })
  afterAll(async () => {
    await db.close()
    await place.remove()
  })
  const all = async () => (await db.all(names, {})).map(row => row.name)

  test('a commit writes all of its steps', async () => {
    await db.commit([one(1), one(2)])
    expect(await all()).toEqual(['n1', 'n2'])
  })

  test('or none, when one fails', async () => {
    await expect(db.commit([one(1), one(1)])).rejects.toThrow()
    expect(await all()).toEqual([])
  })

  test('or none, when one changes another number of rows than expected', async () => {
    const step = { query: rename, params: { id: 1, old: 'other', name: 'b' }, expect: 1 }
    await expect(db.commit([one(1), step])).rejects.toThrow(ConflictError)
    expect(await all()).toEqual([])
  })

  test('a conflict undoes its own commit only, not those that share its moment', async () => {
    const conflict = { query: rename, params: { id: 9, old: 'x', name: 'y' }, expect: 1 }
    const settled = await Promise.allSettled([
      db.commit([one(1)]),
      db.commit([one(2), conflict]),
      db.commit([one(3), one(3)]),
      db.commit([one(4)]),
    ])
    expect(settled.map(each => each.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(await all()).toEqual(['n1', 'n4'])
  })

  test('of many that swap the same value at once, one wins', async () => {
    await db.commit([one(1, 'free')])
    const attempts = Array.from({ length: 20 }, (_, index) =>
      db.commit([{ query: rename, params: { id: 1, old: 'free', name: `winner ${index}` }, expect: 1 }]),
    )
    const settled = await Promise.allSettled(attempts)
    const winners = settled.flatMap((each, index) => (each.status === 'fulfilled' ? [`winner ${index}`] : []))
    expect(winners).toHaveLength(1)
    expect(await all()).toEqual(winners)
  })

  test('nothing is lost when many add to one row at once', async () => {
    await db.commit([one(1, 'counter', 0)])
    const sizes = await Promise.all(Array.from({ length: 50 }, () => db.commit([{ query: take, params: { id: 1 } }])))
    expect(sizes.map(rows => rows[0]?.[0]?.size).sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    )
  })

  test('times in milliseconds come back as the numbers they were', async () => {
    const now = 1_790_000_000_123
    await db.commit([one(1, 'now', now)])
    const [row] = await db.all(query<{ size: number }>('thing.sizes', 'select size from things'), {})
    expect(row).toEqual({ size: now })
  })

  test('a list stands for as many values as it holds, none included', async () => {
    await db.commit([one(1), one(2), one(3)])
    expect(await db.all(some, { ids: [3, 1] })).toEqual([{ id: 1 }, { id: 3 }])
    expect(await db.all(some, { ids: [] })).toEqual([])
  })

  test('append adds many rows at once', async () => {
    await db.append('things', [
      { id: 1, name: 'a', size: 5 },
      { id: 2, name: "it's", size: null },
    ])
    expect(await all()).toEqual(['a', "it's"])
  })

  test('append adds none when one cannot be added', async () => {
    const row = { id: 1, name: 'a', size: null }
    await expect(db.append('things', [row, row])).rejects.toThrow()
    expect(await all()).toEqual([])
  })

  describe('a list', () => {
    const list = {
      name: 'thing.list',
      columns: { id: 'things.id', name: 'things.name', size: 'things.size' },
      from: 'things',
      where: 'things.id < @below',
      params: { below: 100 },
      filters: {},
      sort: [],
      tie: 'id',
      page: 1,
      perPage: 2,
    }
    beforeEach(async () => {
      await db.commit([one(1, 'c', 7), one(2, 'a', null), one(3, 'b', 7), one(4, 'a', 1), one(200)])
    })
    const ids = async (more: object) => {
      const { rows, total } = await listPage(db, { ...list, ...more })
      return [rows.map(row => row.id), total]
    }

    test('comes in pages, by id, with the count of all', async () => {
      expect(await ids({})).toEqual([[1, 2], 4])
      expect(await ids({ page: 2 })).toEqual([[3, 4], 4])
      expect(await ids({ page: 3 })).toEqual([[], 4])
    })

    test('is sorted by several fields, ties by id, nulls last', async () => {
      const sort = [{ column: 'name', descending: false }]
      expect(await ids({ sort, perPage: 9 })).toEqual([[2, 4, 3, 1], 4])
      expect(await ids({ sort: [{ column: 'size', descending: true }], perPage: 9 })).toEqual([[3, 1, 4, 2], 4])
      expect(await ids({ sort: [{ column: 'size', descending: false }], perPage: 9 })).toEqual([[4, 1, 3, 2], 4])
    })

    test('is filtered by several fields at once', async () => {
      expect(await ids({ filters: { name: 'a' } })).toEqual([[2, 4], 2])
      expect(await ids({ filters: { name: 'a', size: 1 } })).toEqual([[4], 1])
    })

    test('refuses a column it does not have, so that no text of a caller reaches the SQL', async () => {
      await expect(ids({ filters: { 'name or 1=1': 'a' } })).rejects.toThrow('has no column')
    })
  })

  test('migrating again changes nothing', async () => {
    await db.commit([one(1)])
    await migrate(db, schema)
    expect(await all()).toEqual(['n1'])
  })

  test('data of a newer version is refused', async () => {
    await expect(migrate(db, [])).rejects.toThrow('newer version of Watchpost')
  })

  test('a migration that fails leaves nothing behind', async () => {
    const broken = { id: 2, name: 'broken', sql: 'create table half (id bigint); create table half (id bigint);' }
    await expect(migrate(db, [...schema, broken])).rejects.toThrow('half')
    await migrate(db, schema)
    await migrate(db, [...schema, { ...broken, sql: 'create table half (id bigint); drop table half' }])
    await db.commit([{ query: query('forget', 'delete from schema_migrations where id = 2'), params: {} }])
  })

  test('several that migrate at the same moment all find it done', async () => {
    const other = await newPlace()
    const stores = await Promise.all([1, 2, 3].map(() => other.open()))
    await Promise.all(stores.map(store => migrate(store, schema)))
    for (const store of stores) await store.close()
    await other.remove()
  })

  test('what another connection committed is seen', async () => {
    const second = await place.open()
    await second.commit([one(1, engine)])
    expect(await all()).toEqual([engine])
    await second.close()
  })
})

/** For as long as the test. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'watchpost-db-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

describe('sqlite', () => {
  test('what was acknowledged is there after kill -9', async () => {
    const dataDir = await newFolder()
    const script = join(dataDir, 'writer.ts')
    const store = new URL('./index.ts', import.meta.url).href
    await writeFile(
      script,
      `import { openDb, migrate } from ${JSON.stringify(store)}
       const db = await openDb({ dataDir: ${JSON.stringify(dataDir)}, databaseUrl: undefined, exclusiveOwner: true })
       await migrate(db, ${JSON.stringify(schema)})
       const put = { name: 'put', sql: ${JSON.stringify(put.sql)} }
       let id = 0
       const write = async () => {
         for (;;) {
           const mine = ++id
           await db.commit([{ query: put, params: { id: mine, name: 'n' + mine, size: null } }])
           console.log(mine)
         }
       }
       for (let i = 0; i < 20; i++) write()`,
    )
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const acknowledged: number[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged.push(Number(line))
      if (acknowledged.length === 500) child.kill('SIGKILL')
    }
    // The lock of the dead process is free at once.
    const db = await openDb({ dataDir, databaseUrl: undefined, exclusiveOwner: true })
    const stored = new Set((await db.all(names, {})).map(row => row.name))
    expect(acknowledged.filter(id => !stored.has(`n${id}`))).toEqual([])
    expect(acknowledged.length).toBeGreaterThanOrEqual(500)
    await db.close()
  })

  test('a second server on the same directory is refused, other commands are not', async () => {
    const dataDir = await newFolder()
    const open = (exclusiveOwner: boolean) => openDb({ dataDir, databaseUrl: undefined, exclusiveOwner })
    const first = await open(true)
    await expect(open(true)).rejects.toThrow('Another server runs on')
    await (await open(false)).close()
    await first.close()
    await (await open(true)).close()
  })

  test.each([
    ['under a file', '/dev/null/data'],
    ['where nobody may write', '/proc/watchpost'],
  ])('a data directory %s is refused in one line that names it', async (_, dataDir) => {
    const opening = openDb({ dataDir, databaseUrl: undefined, exclusiveOwner: true })
    await expect(opening).rejects.toThrow(dataDir)
    await expect(opening).rejects.toThrow('--data-dir')
  })

  test('a full disk takes no more, is called so, and what there is can be read', async () => {
    const place = await newPlace('sqlite')
    const db = await place.open()
    await migrate(db, schema)
    await db.commit([one(1)])
    await db.script('pragma max_page_count = 8')
    const long = 'x'.repeat(50_000)
    const refused = { name: 'UnavailableError', why: 'full' }
    await expect(db.commit([one(2, long)])).rejects.toMatchObject(refused)
    const together = await Promise.allSettled([db.commit([one(3, long)]), db.commit([one(4, long)])])
    expect(together).toMatchObject([{ reason: refused }, { reason: refused }])
    expect(await db.all(names, {})).toEqual([{ name: 'n1' }])
    await db.script('pragma max_page_count = 2000')
    await db.commit([one(2, long)])
    await db.close()
    await place.remove()
  })

  test('a file that is no database is refused', async () => {
    const dataDir = await newFolder()
    await writeFile(
      join(dataDir, 'watchpost.db'),
      'this is not a database, but it is long enough to look like one '.repeat(20),
    )
    await expect(openDb({ dataDir, databaseUrl: undefined, exclusiveOwner: false })).rejects.toThrow('watchpost.db')
  })
})

describe('postgres', () => {
  test('a server that is not there is named, the password is not', async () => {
    const databaseUrl = 'postgres://someone:sesame@127.0.0.1:1/prod'
    const opening = openDb({ dataDir: tmpdir(), databaseUrl, exclusiveOwner: true })
    await expect(opening).rejects.toThrow('database prod at 127.0.0.1:1: nothing listens there')
    await expect(opening).rejects.not.toThrow('sesame')
  })

  test.each([
    ['53100', 'full'],
    ['53300', 'crowded'],
    ['57014', 'slow'],
    ['57P03', 'unreachable'],
  ])('what it refuses with %s is called %s', async (code, why) => {
    const place = await newPlace('postgres')
    const db = await place.open()
    const asking = db.script(`do $$ begin raise exception using errcode = '${code}', message = 'not now'; end $$`)
    await expect(asking).rejects.toMatchObject({ name: 'UnavailableError', why })
    await db.close()
    await place.remove()
  })

  test('a server that goes away is called unreachable, by who is there and who comes anew', async () => {
    const place = await newPlace('postgres')
    const { hostname, port } = new URL(place.databaseUrl as string)
    const open = new Set<Socket>()
    const between = createServer(socket => {
      const behind = connect(Number(port), hostname)
      for (const each of [socket, behind]) open.add(each.on('error', () => undefined))
      socket.pipe(behind).pipe(socket)
    })
    await new Promise<void>(listening => between.listen(0, '127.0.0.1', listening))
    const url = new URL(place.databaseUrl as string)
    url.host = `127.0.0.1:${(between.address() as AddressInfo).port}`
    const db = await openDb({ dataDir: place.dataDir, databaseUrl: url.href, exclusiveOwner: false })
    await migrate(db, schema)
    const waiting = db.all(query<{ name: string }>('thing.wait', "select 'a' as name from pg_sleep(30)"), {})
    const cut = expect(waiting).rejects.toMatchObject({ why: 'unreachable' })
    await new Promise(asked => setTimeout(asked, 200))
    between.close()
    for (const socket of open) socket.destroy()
    await cut
    await expect(db.commit([one(1)])).rejects.toBeInstanceOf(UnavailableError)
    await expect(db.all(names, {})).rejects.toMatchObject({ why: 'unreachable' })
    await db.close()
    await place.remove()
  })
})
