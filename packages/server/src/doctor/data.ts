import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { InUseError, inspectSqlite, lookAtPostgres, mainName, ownDataDir } from '@watchpost/store'
import { sizeText } from '../backup/files.ts'
import { readLastBackup } from '../backup/last-backup.ts'
import { opensSealed } from '../backup/sealed.ts'
import { newest } from '../backup/verify.ts'
import type { Config } from '../config.ts'
import { keyName, readKey } from '../instance-key.ts'
import { clock } from './clock.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Larger files are opened, and read through only where it is asked for: it takes minutes. */
const quicklyChecked = 1_000_000_000
/** A log this long is not taken into its database any more: something holds it open. */
const longLog = 500_000_000
const dayMs = 86_400_000

/** Whether a server holds this data directory now. */
export function isServed({ databaseUrl, dataDir }: Config): boolean {
  if (databaseUrl !== undefined || !existsSync(join(dataDir, 'server.lock'))) return false
  try {
    ownDataDir(dataDir)()
    return false
  } catch (error) {
    return error instanceof InUseError
  }
}

/** The databases of an instance on SQLite. */
export function databases({ dataDir }: Config, full: boolean): Finding[] {
  const main = join(dataDir, mainName)
  if (!existsSync(main)) return [ok('database', 'none yet; the first start makes it')]
  const dir = join(dataDir, 'telemetry')
  const days = existsSync(dir) ? readdirSync(dir).filter(name => name.endsWith('.db')) : []
  const paths = [main, ...days.map(name => join(dir, name))]
  const damaged: string[] = []
  let [bytes, log, unread] = [0, 0, 0]
  let migrations: number[] = []
  for (const path of paths) {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    bytes += size
    log = Math.max(log, statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0)
    const check = full || size <= quicklyChecked ? 'quick' : 'none'
    if (check === 'none') unread++
    const found = inspectSqlite(path, { check, count: [], isCopy: false })
    if (path === main) migrations = found.schema
    // A day may be deleted at this moment.
    if (found.problems.length > 0 && existsSync(path)) damaged.push(`${path}: ${found.problems[0]}`)
  }
  const mend = 'stop the server and bring back the last backup (watchpost-server backup restore)'
  const read = unread === 0 ? 'whole' : `whole, of ${unread} large ones the content was not read (--full does)`
  return [
    damaged.length > 0
      ? fail('database', `damaged: ${damaged.slice(0, 3).join('; ')}`, mend)
      : ok('database', `${paths.length} files, ${sizeText(bytes)}, ${read}`),
    schema(migrations),
    log <= longLog
      ? ok('log', `${sizeText(log)} wait to be taken into the databases`)
      : warn(
          'log',
          `${sizeText(log)} wait to be taken into a database`,
          'see what has it open for so long; a backup does',
        ),
  ]
}

function schema(migrations: number[]): Finding {
  const last = Math.max(0, ...migrations)
  if (last > newest) {
    return fail(
      'schema',
      `${last}, newer than this program (${newest})`,
      'use the version that wrote it or a newer one',
    )
  }
  if (last === newest) return ok('schema', `${last}, up to date`)
  return warn('schema', `${last}, the next start brings it to ${newest}`, 'make a backup before')
}

/** The key that opens what is sealed. */
export function key(config: Config): Finding {
  const { dataDir, databaseUrl, instanceKey } = config
  const what = 'key'
  const text = readKey(config)
  const file = join(dataDir, keyName)
  const main = join(dataDir, mainName)
  if (databaseUrl !== undefined) {
    const mend = 'set WATCHPOST_INSTANCE_KEY to the same for every replica; make one with: openssl rand -base64 32'
    return text === undefined ? fail(what, 'none is given', mend) : ok(what, 'given by the environment')
  }
  if (text === undefined && !existsSync(main)) return ok(what, 'none yet; the first start makes it')
  const another = 'bring back the key that this data was written with, from a backup'
  if (text === undefined) return fail(what, `${file} is missing`, another)
  if (text.length < 12) return fail(what, 'it is too short to keep a secret', another)
  if (existsSync(main) && opensSealed(main, text, false) === false) {
    return fail(what, 'it does not open what is sealed in the database', another)
  }
  if (instanceKey !== undefined) return ok(what, 'given by the environment')
  const mode = statSync(file).mode & 0o777
  if ((mode & 0o077) !== 0)
    return warn(what, `${file} can be read by others (mode ${mode.toString(8)})`, `chmod 600 ${file}`)
  return ok(what, `${file}, read by its user only`)
}

/** The database server, its schema and its clock. */
export async function postgres(url: string): Promise<Finding[]> {
  const before = Date.now()
  try {
    const { version, now, migrations, mayCreate, schema: name } = await lookAtPostgres(url)
    const mend = `grant create on schema ${name} to the user of the server`
    return [
      Number.parseInt(version, 10) >= 14
        ? ok('database', `PostgreSQL ${version}, answers after ${Date.now() - before} ms`)
        : warn('database', `PostgreSQL ${version} is older than what is tested`, 'use 14 or newer'),
      ...(mayCreate ? [] : [fail('database', `tables cannot be made in schema ${name}`, mend)]),
      migrations.length === 0 ? ok('schema', 'none yet; the first start makes it') : schema(migrations),
      clock(now - Date.now(), Date.now() - before, 'the database'),
    ]
  } catch (error) {
    return [fail('database', (error as Error).message, 'see --database-url, and the way there')]
  }
}

/** When the data was backed up last, as far as that was noted. */
export function lastBackup(config: Config, now: number): Finding {
  const mend = 'make one with: watchpost-server backup create, every day (docs/backup.md)'
  const last = readLastBackup(config)
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, mainName)))
    return ok('backup', 'nothing to keep yet')
  if (last === undefined) return warn('backup', 'none is known', mend)
  const days = Math.floor((now - Date.parse(last.created_at)) / dayMs)
  const message = `the last is of ${last.created_at}, in ${last.path}`
  return days < 8 ? ok('backup', message) : warn('backup', `${message}, ${days} days ago`, mend)
}
