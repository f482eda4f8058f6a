import { createServer, connect as dial } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ConflictError, ConstraintError, type Db, OutcomeUnknownError, type Query, type Value } from './db.ts'
import { listPage } from './list.ts'
import { migrate } from './migrate.ts'
import { openDb } from './open.ts'
import { query } from './queries/query.ts'
import { eachEngine, type Place } from './testing/engines.ts'

const schema = [
  {
    id: 1,
    name: "what the things' table is",
    sql: `create table things (id bigint primary key, name text, size bigint, ratio double precision,
            data /*sqlite: blob*/ /*postgres: bytea*/);
          create table counters (id bigint primary key, total bigint not null); -- ends in a comment`,
  },
]
interface Thing {
  [name: string]: Value
  id: number
  name: string | null
  size: number | null
  ratio: number | null
  data: Uint8Array | null
}
const put = query(
  'thing.put',
  'insert into things (id, name, size, ratio, data) values (@id, @name, @size, @ratio, @data)',
)
const clear = query('thing.clear', 'delete from things')
const rename = query('thing.rename', 'update things set name = @name where id = @id and name = @old')
const count = query<{ total: number }>('thing.count', 'select count(*) as total from things')
const add = query('counter.add', 'update counters set total = total + @more where id = @id')
const thing = (id: number, more: Partial<Thing> = {}): Thing => ({
  id,
  name: null,
  size: null,
  ratio: null,
  data: null,
  ...more,
})
const insert = (id: number, more: Partial<Thing> = {}) => ({ query: put, params: thing(id, more) })

// Where one driver does in silence what the other refuses or does otherwise.
eachEngine((engine, newPlace) => {
  let place: Place
  let db: Db
  beforeAll(async () => {
    place = await newPlace()
    db = await place.open()
    await migrate(db, schema)
  })
  beforeEach(async () => {
    await db.commit([{ query: clear, params: {} }])
  })
  afterAll(async () => {
    await db.close()
    await place.remove()
  })
  const read = <R>(sql: string, params = {}) => db.one<R>(query<R>(sql, sql), params)

  test('whole numbers are divided as whole numbers', async () => {
    expect(await read('select cast(7 as bigint) / @by as x', { by: 2 })).toEqual({ x: 3 })
  })

  test('a comparison is 1 or 0', async () => {
    expect(await read('select 1 = 1 as yes, 1 = 2 as no')).toEqual({ yes: 1, no: 0 })
  })

  test('a list may hold words, be negated, and be empty', async () => {
    await db.commit([insert(1, { name: 'a' }), insert(2, { name: 'b' })])
    const named = query<{ id: number }>('thing.named', 'select id from things where name in (@names...) order by id')
    const others = query<{ id: number }>(
      'thing.others',
      'select id from things where name not in (@names...) order by id',
    )
    const ids = async (which: Query<{ id: number }>, names: string[]) =>
      (await db.all(which, { names })).map(row => row.id)
    expect(await ids(named, ['b', 'c'])).toEqual([2])
    expect(await ids(others, ['b', 'c'])).toEqual([1])
    expect(await ids(named, [])).toEqual([])
    expect(await ids(others, [])).toEqual([1, 2])
  })

  test('what is not a number, and what the statement does not know, is refused by name', async () => {
    await expect(db.commit([insert(1, { size: Number.NaN })])).rejects.toThrow('thing.put: @size is not a number')
    const odd = thing(1, { size: Number.NaN })
    await expect(db.append('things', [thing(2), odd])).rejects.toThrow('things.append: row 1: size is not a number')
    await expect(db.one(count, { nme: 1 })).rejects.toThrow('thing.count has no @nme')
  })

  test('bytes and fractions come back as they were, from a commit and from an append', async () => {
    const rows = [1, 2].map(id => thing(id, { ratio: 0.1, data: new Uint8Array([0, 255, 7]) }))
    await db.commit([{ query: put, params: rows[0] as Thing }])
    await db.append('things', [rows[1] as Thing])
    const stored = await db.all(query<Thing>('thing.all', 'select id, ratio, data from things order by id'), {})
    expect(stored.map(row => [row.ratio, ...(row.data ?? [])])).toEqual([
      [0.1, 0, 255, 7],
      [0.1, 0, 255, 7],
    ])
  })

  test('rows with other columns than the first are refused: nothing of them may be lost', async () => {
    await expect(db.append('things', [{ id: 1, name: 'a' }, { id: 2 }])).rejects.toThrow('row 1 has other columns')
    await expect(db.append('things', [{ id: 1 }, { id: 2, name: 'b' }])).rejects.toThrow('row 1 has other columns')
    await expect(db.append('things', [{ 'id) values (1); --': 1 }])).rejects.toThrow('is no name of a table or column')
    expect(await db.one(count, {})).toEqual({ total: 0 })
  })

  test('rows and the counter that counts them are one commit', async () => {
    await db.commit([{ query: query('counter.put', 'insert into counters (id, total) values (1, 0)'), params: {} }])
    const step = { query: add, params: { id: 1, more: 2 }, expect: 1 }
    await db.append('things', [thing(1), thing(2)], [step])
    const conflict = { ...step, params: { id: 9, more: 2 } }
    await expect(db.append('things', [thing(3)], [conflict])).rejects.toThrow(ConflictError)
    expect(await db.one(count, {})).toEqual({ total: 2 })
    expect(await read('select total from counters')).toEqual({ total: 2 })
  })

  test('a key that is taken is the same error on both engines, and is named', async () => {
    const twice = db.commit([insert(1), insert(1)])
    await expect(twice).rejects.toThrow(ConstraintError)
    await expect(twice).rejects.toMatchObject({ query: 'thing.put', rule: 'unique' })
    await expect(read('select nothing from nowhere')).rejects.toThrow('select nothing from nowhere:')
  })

  test('of two connections that swap one value, one wins', async () => {
    const other = await place.open()
    await db.commit([insert(1, { name: 'free' })])
    const swap = (by: Db, name: string) =>
      by.commit([{ query: rename, params: { id: 1, old: 'free', name }, expect: 1 }])
    const settled = await Promise.allSettled([...Array(20)].map((_, index) => swap(index % 2 ? db : other, `${index}`)))
    expect(settled.filter(each => each.status === 'fulfilled')).toHaveLength(1)
    for (const each of settled) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(ConflictError)
    await other.close()
  })

  test('closing waits for commits, and takes no more', async () => {
    const other = await place.open()
    const commits = [1, 2, 3].map(id => other.commit([insert(id)]))
    await other.close()
    await Promise.all(commits)
    await expect(other.commit([insert(4)])).rejects.toThrow()
    expect(await db.one(count, {})).toEqual({ total: 3 })
  })

  test('lists of one name with other conditions keep them; a filter may be null; no inherited name is a column', async () => {
    await db.commit([insert(1, { name: 'a' }), insert(2)])
    const list = {
      name: 'thing.list',
      columns: { id: 'id', name: 'name' },
      from: 'things',
      params: {},
      filters: {},
      sort: [],
      tie: 'id',
      page: 1,
      perPage: 9,
    }
    const ids = async (where: string, more = {}) =>
      (await listPage(db, { ...list, where, ...more })).rows.map(row => row.id)
    expect(await ids('id = 1')).toEqual([1])
    expect(await ids('id = 2')).toEqual([2])
    expect(await ids('id = 1 or id = 2', { filters: { name: null } })).toEqual([2])
    expect(await ids('id = 1 or id = 2', { filters: { name: 'a' } })).toEqual([1])
    await expect(ids('id > 0', { filters: { constructor: 1 } })).rejects.toThrow('has no column constructor')
  })

  if (engine === 'postgres')
    test('an answer lost in COMMIT is never taken for success', async () => {
      const url = new URL(place.databaseUrl as string)
      const proxy = createServer(client => {
        const server = dial(Number(url.port), url.hostname)
        client.on('data', bytes => {
          server.write(bytes)
          // The server commits; its answer does not arrive.
          if (bytes.includes('commit\0')) setTimeout(() => client.destroy(), 50)
        })
        let silent = false
        client.on('data', bytes => {
          silent ||= bytes.includes('commit\0')
        })
        server.on('data', bytes => silent || client.write(bytes))
        server.on('error', () => client.destroy())
        client.on('error', () => server.destroy())
        client.on('close', () => server.destroy())
      })
      await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
      const through = new URL(url)
      through.port = String((proxy.address() as { port: number }).port)
      const far = await openDb({ databaseUrl: through.href, dataDir: place.dataDir, exclusiveOwner: false })
      await expect(far.commit([insert(1)])).rejects.toThrow(OutcomeUnknownError)
      // The next one gets a connection of its own.
      expect(await far.one(count, {})).toEqual({ total: 1 })
      await far.close()
      await new Promise(resolve => proxy.close(resolve))
    })

  if (engine === 'sqlite')
    test('a read that writes is refused', async () => {
      await expect(db.all(query('thing.drop', 'delete from things returning id'), {})).rejects.toThrow(
        'belongs in a commit',
      )
    })
})
