import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import type { Db } from './db.ts'
import { metricTables } from './migrations/0014-telemetry.ts'
import { seriesTables } from './migrations/0020-series.ts'
import { openPostgres } from './postgres.ts'
import { query } from './queries/query.ts'
import { openSqlite } from './sqlite.ts'
import { forEngine } from './statement.ts'

/** What lies in a data directory: the main database, the lock of a server, and what is known of metrics. */
export const mainName = 'watchpost.db'
export const lockName = 'server.lock'
export const metricsName = 'telemetry/metrics.db'

/** A server has the data directory. */
export class InUseError extends Error {
  override name = 'InUseError'
}

export interface OpenOptions {
  /** PostgreSQL instead of SQLite. */
  databaseUrl: string | undefined
  /** Where the main database lies; made if it is not there. */
  dataDir: string
  /** Refuse to open what another process has opened so: of servers, one file takes only one. */
  exclusiveOwner: boolean
}

/** Opens the store of an instance; errors are one line that says what to mend. */
export async function openDb({ databaseUrl, dataDir, exclusiveOwner }: OpenOptions): Promise<Db> {
  if (databaseUrl !== undefined) return openPostgres(databaseUrl)
  makeDataDir(dataDir)
  const release = exclusiveOwner ? ownDataDir(dataDir) : () => undefined
  try {
    const db = openSqlite(join(dataDir, mainName))
    const close = db.close.bind(db)
    return Object.assign(db, {
      async close() {
        await close()
        release()
      },
    })
  } catch (error) {
    release()
    throw new Error(`Cannot use ${join(dataDir, mainName)}: ${codeOf(error)}; is it a writable Watchpost database?`)
  }
}

/** A second connection to the store of an instance on SQLite, for another thread that only reads. */
export function openMainReader(dataDir: string): Db {
  return openSqlite(join(dataDir, mainName))
}

const seriesHours = query('metricStore.hours', `select 1 from sqlite_master where name = 'metric_series_hours'`)

/** What is known of metrics beyond their points, on SQLite. */
export async function openMetricStore(dataDir: string): Promise<Db> {
  const path = join(dataDir, metricsName)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const db = openSqlite(path, 'day')
  await db.script(forEngine(metricTables, 'sqlite'))
  const isOld = async () => (await db.one(seriesHours, {})) === undefined
  if (await isOld()) {
    await db.script(forEngine(seriesTables, 'sqlite')).catch(async error => {
      // Another thread may have just made them.
      if (await isOld()) throw error
    })
  }
  return db
}

/** Makes the directory of an instance, readable by its user only; @throws with the path and the mend */
export function makeDataDir(path: string): void {
  try {
    // Node's recursive mkdir never returns where a parent is there and takes no directories, as in /proc.
    if (!existsSync(path)) mkdirSync(path, { recursive: !existsSync(dirname(resolve(path))), mode: 0o700 })
  } catch (error) {
    throw new Error(`Cannot make the data directory ${path}: ${codeOf(error)}; choose another with --data-dir`)
  }
}

/**
 * Takes a data directory, so that no (other) server can start on it. A lock that the kernel drops when the process ends,
 * however it ends; a file with a process id would stay.
 * @returns what gives it back
 * @throws {InUseError} where a server has it
 */
export function ownDataDir(dataDir: string): () => void {
  try {
    const lock = new Database(join(dataDir, lockName), { timeout: 0 })
    lock.exec('begin exclusive')
    return () => lock.close()
  } catch (error) {
    const code = codeOf(error)
    if (code === 'SQLITE_BUSY') {
      throw new InUseError(`Another server runs on ${dataDir}; stop it, or choose another directory with --data-dir`)
    }
    throw new Error(`Cannot write in the data directory ${dataDir}: ${code}; choose another with --data-dir`)
  }
}

function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message
}
