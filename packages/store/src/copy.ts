import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { Row } from './db.ts'

/** Pages that are copied before others have a turn: a few milliseconds. */
const pagesAtOnce = 1000

/** What a copy does with its pages, in bytes. @throws to stop it */
export type CopyProgress = (done: number, total: number) => void

/** A database as it was at one moment, whoever goes on writing it. */
export interface Snapshot {
  /** @throws what `progress` throws, to stop it */
  copyTo(path: string, progress: CopyProgress): Promise<void>
  close(): void
}

/**
 * Holds a moment of a database that others may be writing, to be copied: SQLite's online backup starts anew whenever another
 * connection commits, and would never end under load, but for the read transaction that its own connection holds.
 * @returns undefined where there is no such file
 */
export function snapshotOf(path: string): Snapshot | undefined {
  const source = openIfThere(path)
  if (source === undefined) return undefined
  try {
    source.exec('begin')
    // The snapshot is taken by the first that is read.
    source.prepare('select count(*) from sqlite_master').get()
    const pageSize = source.pragma('page_size', { simple: true }) as number
    return {
      async copyTo(to, progress) {
        await source.backup(to, {
          progress({ totalPages, remainingPages }) {
            progress((totalPages - remainingPages) * pageSize, totalPages * pageSize)
            return pagesAtOnce
          },
        })
        leaveWal(to)
      },
      close: () => void source.close(),
    }
  } catch (error) {
    source.close()
    if (existsSync(path)) throw error
    return undefined
  }
}

/** A copy has no log beside it, so that it can be read where nothing can be written. */
function leaveWal(path: string): void {
  const copy = new Database(path, { fileMustExist: true })
  try {
    copy.pragma('journal_mode = delete')
  } finally {
    copy.close()
  }
}

/** Bytes of a database with what is in its log, as a copy will have them; 0 where there is none. */
export function sizeOfSqlite(path: string): number {
  const database = openIfThere(path)
  if (database === undefined) return 0
  try {
    const [pages, size] = ['page_count', 'page_size'].map(name => database.pragma(name, { simple: true }) as number)
    return (pages ?? 0) * (size ?? 0)
  } finally {
    database.close()
  }
}

/** What was given away of each kind of id. */
export interface Sequence {
  name: string
  value: number
}

/** Those of a main database that others may be writing. */
export function sequencesOf(path: string): Sequence[] {
  const source = openPlain(path)
  try {
    return source.prepare('select name, value from sequences').all() as Sequence[]
  } finally {
    source.close()
  }
}

/** What makes a copy of the main database right beside files that were copied after it. */
export interface Settling {
  /** Of the original, once all is copied. */
  sequences: readonly Sequence[]
  /** Without the files of days nothing of theirs is in the usage yet: their commits are numbered from 1 again. */
  withoutTelemetry: boolean
}

/**
 * Ids that were given away while the other files were copied are in these: an app made later with the same id would
 * find the telemetry of another.
 */
export function settleMainCopy(copyPath: string, { sequences, withoutTelemetry }: Settling): void {
  const copy = new Database(copyPath, { fileMustExist: true })
  try {
    copy.pragma('synchronous = FULL')
    const raise = copy.prepare(
      `insert into sequences (name, value) values (@name, cast(@value as integer))
       on conflict (name) do update set value = max(value, excluded.value)`,
    )
    copy.transaction(() => {
      for (const sequence of sequences) raise.run(sequence)
      if (withoutTelemetry && tablesOf(copy).includes('usage_folds')) copy.exec('delete from usage_folds')
    })()
  } finally {
    copy.close()
  }
}

/** What is found in a database. */
export interface Inspected {
  /** In words of SQLite; none where it is whole. */
  problems: string[]
  /** Why it could not be looked at, where that says nothing of its content: who may read it, who holds it, its disk. */
  trouble: string | undefined
  /** Ids of migrations; none where it has no schema of its own. */
  schema: number[]
  tables: string[]
  /** Rows of tables that were asked for and are there. */
  counts: Record<string, number>
}

export interface Inspection {
  /** `quick` leaves out whether indexes agree with their tables. */
  check: 'quick' | 'full' | 'none'
  /** Tables whose rows are to be counted. */
  count: readonly string[]
  /** Nobody writes it, and nothing may be written beside it. */
  isCopy: boolean
}

/** Looks whether a database is whole, and at what is in it. */
export function inspectSqlite(path: string, { check, count, isCopy }: Inspection): Inspected {
  const inspected: Inspected = { problems: [], trouble: undefined, schema: [], tables: [], counts: {} }
  try {
    const database = openToLook(path, isCopy)
    try {
      if (check !== 'none') inspected.problems.push(...problemsOf(database, check))
      inspected.tables = tablesOf(database)
      if (inspected.tables.includes('schema_migrations')) {
        const rows = database.prepare('select id from schema_migrations order by id').all() as { id: number }[]
        inspected.schema = rows.map(({ id }) => id)
      }
      for (const table of count.filter(name => inspected.tables.includes(name))) {
        const row = database.prepare(`select count(*) as count from "${table}"`).get() as { count: number }
        inspected.counts[table] = row.count
      }
    } finally {
      database.close()
    }
  } catch (error) {
    if (isDamage(error)) inspected.problems.push((error as Error).message)
    else inspected.trouble = (error as NodeJS.ErrnoException).code ?? (error as Error).message
  }
  return inspected
}

/** Whether it says of a database that it is damaged, or none; and not that it could not be read now, or by us. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test((error as NodeJS.ErrnoException).code ?? '')
}

/** One row of a database that nobody need have opened; undefined where it, or its table, is not there. */
export function peekSqlite<R = Row>(path: string, sql: string, isCopy: boolean): R | undefined {
  if (!existsSync(path)) return undefined
  const database = openToLook(path, isCopy)
  try {
    return database.prepare(sql).get() as R | undefined
  } catch (error) {
    if (/no such table/.test((error as Error).message)) return undefined
    throw error
  } finally {
    database.close()
  }
}

function problemsOf(database: Database.Database, check: 'quick' | 'full'): string[] {
  const found = database.pragma(check === 'quick' ? 'quick_check(5)' : 'integrity_check(5)') as Record<string, string>[]
  return found.map(row => Object.values(row)[0] ?? '').filter(text => text !== 'ok')
}

function tablesOf(database: Database.Database): string[] {
  const rows = database.prepare(`select name from sqlite_master where type = 'table' order by name`).all()
  return (rows as { name: string }[]).map(({ name }) => name)
}

/**
 * As it is: nothing of it is changed, as opening the store does. Not read-only, since such a connection leaves the files of
 * the log behind that it had to make.
 */
function openPlain(path: string): Database.Database {
  return new Database(path, { fileMustExist: true, timeout: 5000 })
}

/** It may be deleted at any moment, as days are that have become too old. */
function openIfThere(path: string): Database.Database | undefined {
  try {
    return openPlain(path)
  } catch (error) {
    if (existsSync(path)) throw error
    return undefined
  }
}

/** Read-only where a log is there: whoever else has it open last takes it into the database, and deletes it. */
function openToLook(path: string, isCopy: boolean): Database.Database {
  const readonly = isCopy || existsSync(`${path}-wal`)
  return readonly ? new Database(path, { readonly, fileMustExist: true, timeout: 5000 }) : openPlain(path)
}
