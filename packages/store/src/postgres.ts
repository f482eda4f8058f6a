import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ConflictError, type Db, type Params, type Query, type Row, type Step, type Value } from './db.ts'
import { checkParams, compile, type Statement } from './statement.ts'

/** Times a commit is run anew that others made impossible (serialization failure, deadlock). */
const attempts = 10
const worthAnother = new Set(['40001', '40P01'])

/** Integers of 64 bits come as text; ours are ids, counts and epoch milliseconds. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === 20) return safeInteger
    if (oid === 1700) return Number
    return pg.types.getTypeParser(oid, format as 'text')
  },
}

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
    statement_timeout: 60_000,
    types: types as never,
  })
  // A connection that breaks while idle is replaced; whoever uses one next sees what is wrong.
  pool.on('error', () => undefined)
  try {
    await pool.query('select 1')
  } catch (error) {
    await pool.end()
    const { host, pathname } = new URL(url)
    throw new Error(`Cannot use the database${pathname} at ${host}: ${reason(error)}`, { cause: error })
  }
  return new PostgresDb(pool)
}

function reason(error: unknown): string {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: Error[] }
  if (code === 'ECONNREFUSED') return 'nothing listens there; is PostgreSQL running?'
  return message || errors?.[0]?.message || code || 'unknown reason'
}

class PostgresDb implements Db {
  readonly engine = 'postgres'
  private readonly pool: pg.Pool
  private readonly compiled = new Map<Query, Statement & { name: string }>()

  constructor(pool: pg.Pool) {
    this.pool = pool
  }

  async all<R = Row>(query: Query<R>, params: Params): Promise<R[]> {
    return (await this.pool.query(this.config(query, params))).rows
  }

  async one<R = Row>(query: Query<R>, params: Params): Promise<R | undefined> {
    return (await this.all(query, params))[0]
  }

  async commit(steps: readonly Step[]): Promise<Row[][]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.commitOnce(steps)
      } catch (error) {
        if (attempt === attempts || !worthAnother.has((error as { code?: string }).code ?? '')) throw error
        await sleep(Math.random() * 10 * attempt)
      }
    }
  }

  async append(table: string, rows: readonly Record<string, Value>[]): Promise<void> {
    if (rows.length === 0) return
    const columns = Object.keys(rows[0] as object)
    // One JSON parameter: as many rows as there are, without a limit on the number of parameters.
    const text = `insert into ${table} (${columns.join(', ')})
      select ${columns.join(', ')} from jsonb_populate_recordset(null::${table}, $1::jsonb)`
    await this.pool.query(text, [JSON.stringify(rows)])
  }

  async close(): Promise<void> {
    await this.pool.end()
  }

  async script(sql: string): Promise<void> {
    // Several statements in one simple query are one transaction by themselves.
    await this.pool.query(sql)
  }

  private async commitOnce(steps: readonly Step[]): Promise<Row[][]> {
    const client = await this.pool.connect()
    let broken: Error | undefined
    try {
      await client.query('begin')
      const rows: Row[][] = []
      for (const { query, params, expect } of steps) {
        const result = await client.query(this.config(query, params))
        const changed = result.rowCount ?? 0
        if (expect !== undefined && changed !== expect) throw new ConflictError(query.name, expect, changed)
        rows.push(result.rows)
      }
      await client.query('commit')
      return rows
    } catch (error) {
      await client.query('rollback').catch((lost: Error) => {
        broken = lost
      })
      throw error
    } finally {
      // A connection that could not even roll back is not used again.
      client.release(broken)
    }
  }

  private config(query: Query, params: Params): pg.QueryConfig {
    let statement = this.compiled.get(query)
    if (statement === undefined) {
      const compiled = compile(query, (_, index, list) => (list ? `select unnest($${index}::bigint[])` : `$${index}`))
      // A number: PostgreSQL cuts names at 63 characters, and two that begin alike would be one.
      statement = { ...compiled, name: `q${this.compiled.size}` }
      this.compiled.set(query, statement)
    }
    checkParams(query, statement, params)
    return { name: statement.name, text: statement.sql, values: statement.names.map(name => params[name]) }
  }
}
