import Database from 'better-sqlite3'
import { ConflictError, type Db, type Params, type Query, type Row, type Step, type Value } from './db.ts'
import { insertOf } from './insert.ts'
import { checkParams, compile, forEngine, type Statement } from './statement.ts'
import { statementError } from './statement-error.ts'
import { unavailable } from './unavailable.ts'

interface Prepared {
  statement: Statement
  run: Database.Statement
  reader: boolean
  /** The name behind each `?`. */
  order: readonly string[]
  /** What is bound, filled anew for each run: nothing is allocated on the way of a check. */
  bound: unknown[]
}

/** Rows of one table, and how each is added. */
interface Rows {
  insert: Query
  rows: readonly Record<string, Value>[]
}

interface Waiting {
  added: Rows | undefined
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
  // 16 MB of log before it is carried over: a page that many commits write, as those of an index are, is carried over once.
  'wal_autocheckpoint = 4000',
  // A long reader makes the log grow; afterwards it shrinks again.
  'journal_size_limit = 67108864',
  'trusted_schema = OFF',
]

/** A file of one day's telemetry holds few and large rows, is thrown away whole, and is one of many that are open. */
const pragmasOfDay = pragmas
  .filter(pragma => !/^(page_size|auto_vacuum|cache_size|wal_autocheckpoint)/.test(pragma))
  .concat('page_size = 8192', 'cache_size = -4000')

/**
 * The store in one file.
 * @throws when the file cannot be opened or is no database
 */
export function openSqlite(path: string, kind: 'main' | 'day' = 'main'): Db {
  const database = new Database(path)
  // The size of pages must be said before anything is written, so it comes first.
  for (const pragma of kind === 'main' ? pragmas : pragmasOfDay.toSorted(first('page_size'))) database.pragma(pragma)
  return new SqliteDb(database)
}

const first = (name: string) => (a: string, b: string) => Number(b.startsWith(name)) - Number(a.startsWith(name))

class SqliteDb implements Db {
  readonly engine = 'sqlite'
  private readonly database: Database.Database
  private readonly prepared = new WeakMap<Query, Prepared>()
  private readonly inserts = new Map<string, Query>()
  private waiting: Waiting[] = []
  private scheduled: Promise<void> | undefined
  private readonly begin: Database.Statement
  private readonly end: Database.Statement
  private readonly save: Database.Statement
  private readonly release: Database.Statement
  private readonly undo: Database.Statement

  constructor(database: Database.Database) {
    this.database = database
    this.begin = database.prepare('begin immediate')
    this.end = database.prepare('commit')
    this.save = database.prepare('savepoint one')
    this.release = database.prepare('release one')
    this.undo = database.prepare('rollback to one')
  }

  // One connection reads and writes: each call runs to its end before the next, so reads see whole commits only.
  async all<R = Row>(query: Query<R>, params: Params): Promise<R[]> {
    return this.read(query, params, prepared => prepared.run.all(prepared.bound) as R[])
  }

  async one<R = Row>(query: Query<R>, params: Params): Promise<R | undefined> {
    return this.read(query, params, prepared => prepared.run.get(prepared.bound) as R | undefined)
  }

  private read<T>(query: Query, params: Params, run: (prepared: Prepared) => T): T {
    const prepared = this.prepare(query)
    // Outside a commit it would be a transaction, and an fsync, of its own.
    if (!prepared.run.readonly) throw new TypeError(`${query.name} writes: it belongs in a commit`)
    bind(query, prepared, params)
    try {
      return run(prepared)
    } catch (error) {
      throw statementError(query, error)
    }
  }

  commit(steps: readonly Step[]): Promise<Row[][]> {
    return this.enqueue(undefined, steps)
  }

  private enqueue(added: Rows | undefined, steps: readonly Step[]): Promise<Row[][]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ added, steps, resolve, reject })
      this.scheduled ??= new Promise(done => setImmediate(() => done(this.commitGroup())))
    })
  }

  async append(table: string, rows: readonly Record<string, Value>[], steps: readonly Step[] = []): Promise<void> {
    const added = rows.length > 0 ? { insert: insertOf(table, rows, this.inserts), rows } : undefined
    await this.enqueue(added, steps)
  }

  async close(): Promise<void> {
    while (this.scheduled !== undefined) await this.scheduled
    this.database.close()
  }

  async script(sql: string): Promise<void> {
    try {
      // On a line of its own: a text may end in a comment.
      this.database.exec(`begin immediate; ${sql}\n; commit`)
    } catch (error) {
      if (this.database.inTransaction) this.database.exec('rollback')
      throw unavailable(error) ?? error
    }
  }

  /** Runs what is waiting in one transaction, so that one fsync serves all; one caller's conflict undoes only its own. */
  private commitGroup(): void {
    const group = this.waiting.splice(0, groupLimit)
    const answers: (Row[][] | { error: unknown })[] = []
    try {
      this.begin.run()
      for (const each of group) answers.push(group.length === 1 ? this.runAll(each) : this.runSaved(each))
      this.end.run()
    } catch (error) {
      if (this.database.inTransaction) this.database.exec('rollback')
      // Nothing of the group is there: nobody may be told otherwise.
      const reason = unavailable(error) ?? error
      group.forEach((waiting, index) => {
        const answer = answers[index]
        waiting.reject(answer !== undefined && 'error' in answer ? answer.error : reason)
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

  private runSaved(work: Waiting): Row[][] | { error: unknown } {
    this.save.run()
    try {
      const rows = this.runAll(work)
      this.release.run()
      return rows
    } catch (error) {
      // Some errors end the whole transaction; the group fails then.
      if (!this.database.inTransaction) throw error
      this.undo.run()
      this.release.run()
      return { error }
    }
  }

  private runAll({ added, steps }: Waiting): Row[][] {
    if (added !== undefined) this.add(added)
    return steps.map(({ query, params, expect }) => {
      const prepared = this.prepare(query)
      bind(query, prepared, params)
      let rows: Row[] = []
      let changed: number
      try {
        if (prepared.reader) {
          rows = prepared.run.all(prepared.bound) as Row[]
          changed = rows.length
        } else changed = prepared.run.run(prepared.bound).changes
      } catch (error) {
        throw statementError(query, error)
      }
      if (expect !== undefined && changed !== expect) throw new ConflictError(query.name, expect, changed)
      return rows
    })
  }

  /** What is the same for all rows was looked at once, by {@link insertOf}. */
  private add({ insert, rows }: Rows): void {
    const prepared = this.prepare(insert)
    try {
      for (const row of rows) {
        fill(prepared, row)
        prepared.run.run(prepared.bound)
      }
    } catch (error) {
      throw statementError(insert, error)
    }
  }

  private prepare(query: Query): Prepared {
    let prepared = this.prepared.get(query)
    if (prepared === undefined) {
      const order: string[] = []
      const use = (name: string) => {
        order.push(name)
        return '?'
      }
      const statement = compile(
        { ...query, sql: forEngine(query.sql, 'sqlite') },
        use,
        (name, _, negated) => `${negated ? 'not ' : ''}in (select value from json_each(${use(name)}))`,
      )
      const run = this.parse(query, statement.sql)
      prepared = { statement, run, reader: run.reader, order, bound: order.map(() => null) }
      this.prepared.set(query, prepared)
    }
    return prepared
  }

  private parse(query: Query, sql: string): Database.Statement {
    try {
      return this.database.prepare(sql)
    } catch (error) {
      throw statementError(query, error)
    }
  }
}

function bind(query: Query, prepared: Prepared, params: Params): void {
  checkParams(query, prepared.statement, params)
  fill(prepared, params)
}

/** Fills what the driver binds; a list travels as JSON text. */
function fill({ order, bound }: Prepared, params: Params): void {
  for (let place = 0; place < order.length; place++) {
    const value = params[order[place] as string]
    // The driver binds every number as a REAL, and 7 / 2.0 is 3.5 where PostgreSQL's 7 / 2 is 3.
    bound[place] = Number.isSafeInteger(value)
      ? BigInt(value as number)
      : Array.isArray(value)
        ? JSON.stringify(value)
        : value
  }
}
