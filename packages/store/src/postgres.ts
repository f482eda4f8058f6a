import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  ConflictError,
  type Db,
  OutcomeUnknownError,
  type Params,
  type Query,
  type Row,
  type Step,
  type Value,
} from './db.ts'
import { columnsOf } from './insert.ts'
import { query } from './queries/query.ts'
import { checkParams, compile, forEngine, type Statement } from './statement.ts'
import { statementError } from './statement-error.ts'
import { unavailable } from './unavailable.ts'

/** Times a commit is run anew that others made impossible (serialization failure, deadlock). */
const attempts = 10
const worthAnother = new Set(['40001', '40P01'])

/** Values as SQLite would give them: numbers, 0 and 1, bytes, and everything else as text. */
const parsers: Record<number, (text: string) => Value> = {
  [pg.types.builtins.BOOL]: text => Number(text === 't'),
  [pg.types.builtins.INT2]: Number,
  [pg.types.builtins.INT4]: Number,
  [pg.types.builtins.INT8]: safeInteger,
  [pg.types.builtins.FLOAT4]: Number,
  [pg.types.builtins.FLOAT8]: Number,
  [pg.types.builtins.NUMERIC]: Number,
  [pg.types.builtins.BYTEA]: text => Buffer.from(text.slice(2), 'hex'),
}
const types = { getTypeParser: (oid: number) => parsers[oid] ?? String }

const statementTimeoutMs = 60_000

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond what a number holds exactly`)
  return value
}

/** The store in a PostgreSQL database, shared by as many replicas as there are. */
export async function openPostgres(url: string, max = 10): Promise<Db> {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementTimeoutMs,
    // The server's own limit cannot reach us over a dead network.
    query_timeout: statementTimeoutMs + 5_000,
    // A replica that is frozen in the middle of a commit must not hold its locks for the others.
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
    types: types as never,
  })
  // A connection that breaks while idle is replaced; whoever uses one next sees what is wrong.
  pool.on('error', () => undefined)
  try {
    await pool.query('select 1')
  } catch (error) {
    await pool.end()
    const { host, pathname } = new URL(url)
    throw new Error(`Cannot use database ${pathname.slice(1)} at ${host}: ${reason(error)}`, { cause: error })
  }
  return new PostgresDb(pool)
}

function reason(error: unknown): string {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: Error[] }
  if (code === 'ECONNREFUSED') return 'nothing listens there; is PostgreSQL running?'
  return message || errors?.[0]?.message || code || 'unknown reason'
}

/** Five characters: PostgreSQL itself has answered, and the connection is as good as before. */
const sqlState = /^[0-9A-Z]{5}$/
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

/** Arrays need their types spelled out. */
const columnTypes = query<{ name: string; type: string }>(
  'columns.types',
  `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
   where attrelid = to_regclass(@table) and attnum > 0 and not attisdropped`,
)

class PostgresDb implements Db {
  readonly engine = 'postgres'
  private readonly pool: pg.Pool
  private readonly compiled = new WeakMap<Query, Statement & { name: string | undefined }>()
  private readonly inserts = new Map<string, Promise<string>>()
  private readonly running = new Set<Promise<unknown>>()
  private readonly broken = new WeakSet<pg.PoolClient>()

  constructor(pool: pg.Pool) {
    this.pool = pool
  }

  all<R = Row>(query: Query<R>, params: Params): Promise<R[]> {
    return this.use(async client => (await this.run(client, query, params)).rows as R[])
  }

  async one<R = Row>(query: Query<R>, params: Params): Promise<R | undefined> {
    return (await this.all(query, params))[0]
  }

  commit(steps: readonly Step[]): Promise<Row[][]> {
    return this.inTransaction(client => this.runAll(client, steps))
  }

  async append(table: string, rows: readonly Record<string, Value>[], steps: readonly Step[] = []): Promise<void> {
    const columns = rows.length > 0 ? columnsOf(table, rows) : []
    const text = rows.length > 0 ? await this.insertOf(table, columns) : ''
    // One array per column: as many rows as there are, without a limit on the number of parameters.
    const values = columns.map(name => rows.map(row => row[name]))
    const append = query(`${table}.append`, text)
    await this.inTransaction(async client => {
      if (rows.length > 0) await this.ask(client, append, { name: nameOf(text), text, values })
      await this.runAll(client, steps)
    })
  }

  async close(): Promise<void> {
    // The pool would forget who waits for a connection.
    while (this.running.size > 0) await Promise.allSettled(this.running)
    await this.pool.end()
  }

  async script(sql: string): Promise<void> {
    const script = query('script', sql)
    await this.inTransaction(async client => {
      // A migration takes as long as it takes.
      await client.query('set local statement_timeout = 0')
      await this.ask(client, script, { text: sql, query_timeout: 2 ** 31 - 1 } as pg.QueryConfig)
    })
  }

  private async runAll(client: pg.PoolClient, steps: readonly Step[]): Promise<Row[][]> {
    const rows: Row[][] = []
    for (const { query, params, expect } of steps) {
      const result = await this.run(client, query, params)
      const changed = result.rowCount ?? 0
      if (expect !== undefined && changed !== expect) throw new ConflictError(query.name, expect, changed)
      rows.push(result.rows)
    }
    return rows
  }

  /** Runs `work` between BEGIN and COMMIT, anew when others made it impossible. */
  private async inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.use(client => this.attempt(client, work))
      } catch (error) {
        if (attempt === attempts || !worthAnother.has(codeOf(error))) throw error
        await sleep(Math.random() * 10 * attempt)
      }
    }
  }

  private async attempt<T>(client: pg.PoolClient, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    await this.ask(client, begin, { text: 'begin' })
    let result: T
    try {
      result = await work(client)
    } catch (error) {
      // A connection that could not even roll back is marked as broken by `ask`.
      if (!this.broken.has(client)) await this.ask(client, rollback, { text: 'rollback' }).catch(() => undefined)
      throw error
    }
    const { command } = await this.ask(client, commit, { text: 'commit' }).catch(error => {
      if (sqlState.test(codeOf(error))) throw error
      throw new OutcomeUnknownError(`${error.message}; it may or may not have been written`, { cause: error })
    })
    if (command !== 'COMMIT') throw new Error(`PostgreSQL answered ${command} to COMMIT: nothing was written`)
    return result
  }

  private use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const running = this.useClient(work)
    this.running.add(running)
    const done = () => this.running.delete(running)
    running.then(done, done)
    return running
  }

  private async useClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect().catch(error => {
      throw unavailable(error) ?? error
    })
    // A connection may break between two statements; an error nobody listens for would end the process.
    const lost = () => this.broken.add(client)
    client.on('error', lost)
    try {
      return await work(client)
    } finally {
      client.off('error', lost)
      client.release(this.broken.has(client))
    }
  }

  private run(client: pg.PoolClient, query: Query, params: Params): Promise<pg.QueryResult> {
    return this.ask(client, query, this.config(query, params))
  }

  private async ask(client: pg.PoolClient, query: Query, config: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      return await client.query(config)
    } catch (error) {
      if (!sqlState.test(codeOf(error))) this.broken.add(client)
      throw statementError(query, error)
    }
  }

  private insertOf(table: string, columns: string[]): Promise<string> {
    const key = `${table} ${columns.join()}`
    let insert = this.inserts.get(key)
    if (insert === undefined) {
      insert = this.makeInsert(table, columns)
      this.inserts.set(key, insert)
      insert.catch(() => this.inserts.delete(key))
    }
    return insert
  }

  private async makeInsert(table: string, columns: string[]): Promise<string> {
    const types = new Map((await this.all(columnTypes, { table })).map(({ name, type }) => [name, type]))
    const unknown = columns.find(name => !types.has(name))
    if (unknown !== undefined) throw new TypeError(`${table}.append: there is no column ${table}.${unknown}`)
    const arrays = columns.map((name, index) => `$${index + 1}::${types.get(name)}[]`)
    return `insert into ${table} (${columns.join(', ')}) select * from unnest(${arrays.join(', ')})`
  }

  private config(query: Query, params: Params): pg.QueryConfig {
    let statement = this.compiled.get(query)
    if (statement === undefined) {
      // The list's type is taken from what it is compared with: one statement for ids and names, and for no values.
      const compiled = compile(
        { ...query, sql: forEngine(query.sql, 'postgres') },
        (_, index) => `$${index}`,
        (_, index, negated) => (negated ? `<> all($${index})` : `= any($${index})`),
      )
      statement = { ...compiled, name: query.adhoc ? undefined : nameOf(compiled.sql) }
      this.compiled.set(query, statement)
    }
    checkParams(query, statement, params)
    return { name: statement.name, text: statement.sql, values: statement.names.map(name => params[name]) }
  }
}

const begin = query('begin', 'begin')
const commit = query('commit', 'commit')
const rollback = query('rollback', 'rollback')

/** What a connection keeps a prepared statement under: PostgreSQL cuts at 63 characters, so no text of ours. */
function nameOf(sql: string): string {
  return createHash('sha256').update(sql).digest('base64url')
}
