/** What a column may hold. Booleans are 0 and 1, times are integer epoch milliseconds. */
export type Value = string | number | null | Uint8Array
/** Named parameters, `@name` in the SQL. `@name...` expands a list of numbers or strings: `id in (@ids...)`. */
export type Params = Record<string, Value | readonly number[] | readonly string[]>
export type Row = Record<string, Value>

/** One SQL text for both engines, and what its rows look like. */
export interface Query<R = unknown> {
  /** Made on the fly, one of many shapes, or best planned for what is asked: not worth a place in the database server's memory. */
  readonly adhoc?: true
  /** noun.verb, unique: what a slow or failing statement is called in logs. */
  readonly name: string
  readonly sql: string
  /** Never set: carries the row type. */
  readonly row?: R
}

/** One statement of a commit. */
export interface Step {
  query: Query
  params: Params
  /**
   * How many rows must be changed, or returned where the statement returns rows; any other number undoes the whole
   * commit (compare-and-swap).
   */
  expect?: number
}

/** A commit's step changed another number of rows than expected: read again, decide again. */
export class ConflictError extends Error {
  override name = 'ConflictError'
  readonly query: string
  constructor(query: string, expected: number, changed: number) {
    super(`${query}: expected ${expected} rows, changed ${changed}`)
    this.query = query
  }
}

/** A row breaks a rule of the schema: another has its key, or a value is missing. Nothing of its commit was written. */
export class ConstraintError extends Error {
  override name = 'ConstraintError'
  readonly query: string
  readonly rule: 'unique' | 'not null' | 'check' | 'foreign key'
  constructor(query: string, rule: ConstraintError['rule'], message: string, cause: unknown) {
    super(message, { cause })
    this.query = query
    this.rule = rule
  }
}

/** Why a store does not do its work. */
export type Unavailable = 'full' | 'broken' | 'busy' | 'slow' | 'crowded' | 'unreachable'

/** The store cannot do its work now, whatever is asked of it: trying again can help. Nothing of a commit was written. */
export class UnavailableError extends Error {
  override name = 'UnavailableError'
  readonly why: Unavailable
  constructor(why: Unavailable, message: string, cause: unknown) {
    super(message, { cause })
    this.why = why
  }
}

/** The connection was lost while a commit was being answered: it may have been written. Read before trying again. */
export class OutcomeUnknownError extends Error {
  override name = 'OutcomeUnknownError'
}

/** The one door to storage; see docs/decisions/0003-one-sql-text-two-engines.md. */
export interface Db {
  readonly engine: 'sqlite' | 'postgres'
  /** Reads see the last commit. */
  all<R = Row>(query: Query<R>, params: Params): Promise<R[]>
  one<R = Row>(query: Query<R>, params: Params): Promise<R | undefined>
  /**
   * Writes all steps or none, and answers once they are durable: one list of returned rows per step.
   * @throws {ConflictError} when a step changed another number of rows than it expects.
   * @throws {ConstraintError} when a row breaks a rule of the schema.
   * @throws {UnavailableError} when the disk is full, or the database cannot be reached.
   * @throws {OutcomeUnknownError} when PostgreSQL's answer was lost.
   */
  commit(steps: readonly Step[]): Promise<Row[][]>
  /**
   * Adds many rows to one table, and runs `steps` in the same commit (a counter beside what it counts). All or none.
   * The columns are the keys of the first row; a row with other keys is refused.
   */
  append(table: string, rows: readonly Record<string, Value>[], steps?: readonly Step[]): Promise<void>
  /** Runs statements without parameters, all or none: migrations. */
  script(sql: string): Promise<void>
  /** Waits for what is under way. */
  close(): Promise<void>
}
