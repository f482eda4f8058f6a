import Database from 'better-sqlite3'
import { ConflictError, type Db, type Params, type Query, type Row, type Step, type Value } from './db.ts'
import { checkParams, compile, type Statement } from './statement.ts'

interface Prepared {
  statement: Statement
  run: Database.Statement
  reader: boolean
}

interface Waiting {
  steps: readonly Step[]
  resolve(rows: Row[][]): void
  reject(error: unknown): void
}

/** Commits that may share one transaction, so that none waits long for those before it. */
const groupLimit = 500

/** Each line with its why. */
const pragmas = [
  // A page is what one insert dirties; SQLite's own default suits rows as small as ours.
  'page_size = 4096',
  // Must precede the first table: lets freed pages go back to the file system without a VACUUM.
  'auto_vacuum = INCREMENTAL',
  // Readers never wait for the writer.
  'journal_mode = WAL',
  // Acknowledged means it survives a loss of power: one fsync per commit, shared by all that wait for it.
  'synchronous = FULL',
  // Commands such as `token create` write beside a running server.
  'busy_timeout = 5000',
  'temp_store = MEMORY',
  // 32 MB of pages.
  'cache_size = -32000',
  // A long reader makes the log grow; afterwards it shrinks again.
  'journal_size_limit = 67108864',
  'trusted_schema = OFF',
]

/**
 * The store in one file.
 * @throws when the file cannot be opened or is no database
 */
export function openSqlite(path: string): Db {
  const database = new Database(path)
  for (const pragma of pragmas) database.pragma(pragma)
  return new SqliteDb(database)
}

class SqliteDb implements Db {
  readonly engine = 'sqlite'
  private readonly database: Database.Database
  private readonly prepared = new Map<Query, Prepared>()
  private waiting: Waiting[] = []
  private scheduled: Promise<void> | undefined
  private readonly begin: Database.Statement
  private readonly end: Database.Statement

  constructor(database: Database.Database) {
    this.database = database
    this.begin = database.prepare('begin immediate')
    this.end = database.prepare('commit')
  }

  // One connection reads and writes: each call runs to its end before the next, so reads see whole commits only.
  async all<R = Row>(query: Query<R>, params: Params): Promise<R[]> {
    const { run, statement } = this.prepare(query)
    return run.all(values(query, statement, params)) as R[]
  }

  async one<R = Row>(query: Query<R>, params: Params): Promise<R | undefined> {
    const { run, statement } = this.prepare(query)
    return run.get(values(query, statement, params)) as R | undefined
  }

  commit(steps: readonly Step[]): Promise<Row[][]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ steps, resolve, reject })
      this.scheduled ??= new Promise(done => setImmediate(() => done(this.commitGroup())))
    })
  }

  async append(table: string, rows: readonly Record<string, Value>[]): Promise<void> {
    if (rows.length === 0) return
    const columns = Object.keys(rows[0] as object)
    const query = {
      name: `${table}.append`,
      sql: `insert into ${table} (${columns.join(', ')}) values (${columns.map(name => `@${name}`).join(', ')})`,
    }
    await this.commit(rows.map(params => ({ query, params })))
  }

  async close(): Promise<void> {
    while (this.scheduled !== undefined) await this.scheduled
    this.database.close()
  }

  async script(sql: string): Promise<void> {
    try {
      this.database.exec(`begin immediate; ${sql}; commit`)
    } catch (error) {
      if (this.database.inTransaction) this.database.exec('rollback')
      throw error
    }
  }

  /** Runs what is waiting in one transaction, so that one fsync serves all; one caller's conflict undoes only its own. */
  private commitGroup(): void {
    const group = this.waiting.splice(0, groupLimit)
    const answers: (Row[][] | { error: unknown })[] = []
    try {
      this.begin.run()
      for (const { steps } of group) answers.push(group.length === 1 ? this.runAll(steps) : this.runSaved(steps))
      this.end.run()
    } catch (error) {
      if (this.database.inTransaction) this.database.exec('rollback')
      // Nothing of the group is there: nobody may be told otherwise.
      group.forEach((waiting, index) => {
        const answer = answers[index]
        waiting.reject(answer !== undefined && 'error' in answer ? answer.error : error)
      })
      this.scheduleRest()
      return
    }
    group.forEach((waiting, index) => {
      const answer = answers[index] as Row[][] | { error: unknown }
      if ('error' in answer) waiting.reject(answer.error)
      else waiting.resolve(answer)
    })
    this.scheduleRest()
  }

  private scheduleRest(): void {
    this.scheduled =
      this.waiting.length === 0 ? undefined : new Promise(done => setImmediate(() => done(this.commitGroup())))
  }

  private runSaved(steps: readonly Step[]): Row[][] | { error: unknown } {
    this.database.exec('savepoint one')
    try {
      const rows = this.runAll(steps)
      this.database.exec('release one')
      return rows
    } catch (error) {
      // Some errors end the whole transaction; the group fails then.
      if (!this.database.inTransaction) throw error
      this.database.exec('rollback to one; release one')
      return { error }
    }
  }

  private runAll(steps: readonly Step[]): Row[][] {
    return steps.map(({ query, params, expect }) => {
      const { run, reader, statement } = this.prepare(query)
      const bound = values(query, statement, params)
      const rows = reader ? (run.all(bound) as Row[]) : []
      const changed = reader ? rows.length : run.run(bound).changes
      if (expect !== undefined && changed !== expect) throw new ConflictError(query.name, expect, changed)
      return rows
    })
  }

  private prepare(query: Query): Prepared {
    let prepared = this.prepared.get(query)
    if (prepared === undefined) {
      const statement = compile(query, (name, _, list) => (list ? `select value from json_each(@${name})` : `@${name}`))
      const run = this.database.prepare(statement.sql)
      prepared = { statement, run, reader: run.reader }
      this.prepared.set(query, prepared)
    }
    return prepared
  }
}

/** What the driver binds by name; a list travels as JSON text. */
function values(query: Query, statement: Statement, params: Params): object {
  checkParams(query, statement, params)
  if (statement.lists.size === 0) return params
  const lists = [...statement.lists].map(name => [name, JSON.stringify(params[name])])
  return { ...params, ...Object.fromEntries(lists) }
}
