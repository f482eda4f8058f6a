import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { InUseError, inspectSqlite, isDamage, lockName, lookAtPostgres, mainName, ownDataDir } from '@watchpost/store'
import { asOwnerOf, ownerText, sizeText } from '../backup/files.ts'
import { readLastBackup } from '../backup/last-backup.ts'
import { opensSealed } from '../backup/sealed.ts'
import { newest } from '../backup/verify.ts'
import type { Config } from '../config.ts'
import { isLongEnough, keyName, readKey } from '../instance-key.ts'
import { clock } from './clock.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Larger files are opened, and read through only where it is asked for: it takes minutes. */
const quicklyChecked = 1_000_000_000
/** A log this long is not taken into its database any more: something holds it open. */
const longLog = 500_000_000
const dayMs = 86_400_000

/** Whether a server holds this data directory now. */
export function isServed({ databaseUrl, dataDir }: Config): boolean {
  if (databaseUrl !== undefined || !existsSync(join(dataDir, lockName))) return false
  try {
    asOwnerOf(dataDir, () => ownDataDir(dataDir))()
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
  const paths = [main]
  const damaged: string[] = []
  const troubles: [string, string][] = []
  try {
    const names = readdirSync(dir).filter(name => name.endsWith('.db'))
    paths.push(...names.map(name => join(dir, name)))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') troubles.push([dir, code])
  }
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
    if (!existsSync(path)) continue
    if (found.problems.length > 0) damaged.push(`${path}: ${found.problems[0]}`)
    if (found.trouble !== undefined) troubles.push([path, found.trouble])
  }
  const read = unread === 0 ? 'whole' : `whole, of ${unread} large ones the content was not read (--full does)`
  const findings = troubles.slice(0, 3).map(([path, code]) => outOfSight('database', path, code))
  if (damaged.length > 0) {
    findings.unshift(fail('database', `damaged: ${damaged.slice(0, 3).join('; ')}`, bringBack))
  }
  const isWhole = findings.length === 0
  if (isWhole) findings.push(ok('database', `${paths.length} files, ${sizeText(bytes)}, ${read}`))
  // Of a main database that cannot be read nothing is known.
  if (isWhole || migrations.length > 0) findings.push(schema(migrations))
  return [
    ...findings,
    log <= longLog
      ? ok('log', `${sizeText(log)} wait to be taken into the databases`)
      : warn(
          'log',
          `${sizeText(log)} wait to be taken into a database`,
          'see what has it open for so long; a backup does',
        ),
  ]
}

const bringBack = 'stop the server and bring back the last backup (watchpost-server backup restore)'

/** What cannot be read may be whole. */
function outOfSight(what: string, path: string, code: string): Finding {
  const message = `${path} could not be looked at (${code}), which says nothing of its content`
  if (/^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code)) {
    return fail(what, message, 'see which program holds it for so long, and look again')
  }
  if (/^(SQLITE_IOERR|EIO)/.test(code)) return fail(what, message, 'see what the kernel says of its disk (dmesg)')
  const mend = 'run as the user of the server, and give them all files of the data directory (chown)'
  return fail(what, `${message}; it is of ${ownerText(path)}`, mend)
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
  const file = join(dataDir, keyName)
  const main = join(dataDir, mainName)
  let text: string | undefined
  try {
    text = readKey(config)
  } catch (error) {
    return outOfSight(what, file, (error as NodeJS.ErrnoException).code ?? (error as Error).message)
  }
  const tooShort = 'it is too short to keep a secret'
  if (databaseUrl !== undefined) {
    const mend = 'set WATCHPOST_INSTANCE_KEY to the same for every replica; make one with: openssl rand -base64 32'
    if (text === undefined) return fail(what, 'none is given', mend)
    return isLongEnough(text) ? ok(what, 'given by the environment') : fail(what, tooShort, mend)
  }
  if (text === undefined && !existsSync(main)) return ok(what, 'none yet; the first start makes it')
  const another = 'bring back the key that this data was written with, from a backup'
  if (text === undefined) return fail(what, `${file} is missing`, another)
  if (!isLongEnough(text)) return fail(what, tooShort, another)
  try {
    if (opensSealed(main, text, false) === false) {
      return fail(what, 'it does not open what is sealed in the database', another)
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const mend = isDamage(error) ? bringBack : 'see what is said of the database'
    return warn(what, `whether it opens what is sealed cannot be seen (${code ?? message})`, mend)
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
  if (config.databaseUrl !== undefined && !existsSync(config.dataDir)) {
    return ok('backup', `when the last was made cannot be known here: there is no ${config.dataDir} to note it in`)
  }
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, mainName)))
    return ok('backup', 'nothing to keep yet')
  if (last === undefined) return warn('backup', 'none is known', mend)
  const days = Math.floor((now - Date.parse(last.created_at)) / dayMs)
  const message = `the last is of ${last.created_at}, in ${last.path}`
  return days < 8 ? ok('backup', message) : warn('backup', `${message}, ${days} days ago`, mend)
}
