import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { rename, rm, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { copySqlite, inspectSqlite, settleMainCopy, sizeOfSqlite } from '@watchpost/store'
import { type Config, OperatorError } from '../config.ts'
import { version } from '../version.ts'
import { sizeText, syncDir, syncFile } from './files.ts'
import { noteBackup } from './last-backup.ts'
import {
  type BackedUp,
  dumpName,
  keyName,
  type Manifest,
  mainName,
  manifestName,
  manifestText,
  metricsName,
  probeTokenName,
  sumOf,
  sumsName,
  sumsText,
} from './manifest.ts'
import { dumpPostgres, schemaOfPostgres } from './postgres.ts'
import type { Progress } from './progress.ts'

export interface BackupWish {
  /** Where it will be, a directory. */
  path: string
  withTelemetry: boolean
  withKey: boolean
}

/** Free space that a backup leaves on its disk: it may be the server's. */
const leftFree = 67_108_864

/**
 * Copies an instance while it runs. What is there under `path` in the end is whole, or nothing is.
 * @throws {OperatorError} with what to mend; nothing is left then
 */
export async function createBackup(config: Config, wish: BackupWish, progress: Progress): Promise<Manifest> {
  const path = resolve(wish.path)
  const half = `${path}.partial`
  if (existsSync(path)) throw new OperatorError(`${wish.path} exists already; choose another name`)
  try {
    mkdirSync(half, { recursive: !existsSync(dirname(path)), mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') {
      throw new OperatorError(`${half} is in the way: another backup is running, or was killed; then delete it`)
    }
    throw new OperatorError(`Cannot write ${half}: ${code}`)
  }
  try {
    const manifest = await (config.databaseUrl === undefined ? copyFiles : copyDatabase)(config, wish, half, progress)
    writeSynced(join(half, manifestName), manifestText(manifest))
    writeSynced(join(half, sumsName), sumsText(manifest))
    for (const dir of [join(half, 'telemetry'), half]) if (existsSync(dir)) syncDir(dir)
    progress.check()
    await rename(half, path)
    syncDir(dirname(path))
    noteBackup(config, path, manifest)
    return manifest
  } catch (error) {
    // Before it is deleted: afterwards there is room.
    const told = await explained(error, dirname(path))
    await rm(half, { recursive: true, force: true })
    throw told
  }
}

/**
 * The main database comes first: what telemetry has counted beyond the mark in it is counted when the copy is started, and
 * a mark beyond what is in the file of a day would lose it. Points come before what is made of them: those that were put
 * together meanwhile are still among the points, with a mark against doing it twice.
 */
async function copyFiles(config: Config, wish: BackupWish, half: string, progress: Progress): Promise<Manifest> {
  const { dataDir } = config
  refuseUnreadable(dataDir)
  const created_at = new Date().toISOString()
  // Only once the main database is copied: every day that is marked in it has its file by now.
  const telemetry = () => (wish.withTelemetry ? telemetryFiles(dataDir) : [])
  const total = [mainName, ...telemetry()].reduce((sum, name) => sum + sizeOfSqlite(join(dataDir, name)), 0)
  await refuseTooLarge(dirname(half), total)
  progress.begin(total)

  const files: BackedUp[] = []
  const add = async (name: string) => {
    chmodSync(join(half, name), 0o600)
    files.push({ path: name, ...(await sumOf(join(half, name), () => progress.check())) })
  }
  const copy = async (name: string) => {
    const to = join(half, name)
    return copySqlite(join(dataDir, name), to, done => progress.at(name, done)).finally(() => progress.next())
  }
  await copy(mainName)
  if (wish.withTelemetry && existsSync(join(dataDir, 'telemetry'))) mkdirSync(join(half, 'telemetry'), { mode: 0o700 })
  const copied: string[] = []
  // One may have become too old and be gone by the time it is its turn.
  for (const name of telemetry()) if (await copy(name)) copied.push(name)
  settleMainCopy(join(half, mainName), { dataDir, withoutTelemetry: !wish.withTelemetry })
  for (const name of [mainName, ...copied]) await add(name)
  if (existsSync(join(dataDir, probeTokenName))) {
    writeSynced(join(half, probeTokenName), readFileSync(join(dataDir, probeTokenName), 'utf8'))
    await add(probeTokenName)
  }
  if (keepKey(config, wish, half)) await add(keyName)
  const { schema } = inspectSqlite(join(half, mainName), { check: 'none', count: [], isCopy: true })
  return about({ engine: 'sqlite', schema: Math.max(0, ...schema), created_at, files }, wish)
}

async function copyDatabase(config: Config, wish: BackupWish, half: string, progress: Progress): Promise<Manifest> {
  const url = config.databaseUrl as string
  const created_at = new Date().toISOString()
  const schema = await schemaOfPostgres(url)
  await dumpPostgres(url, join(half, dumpName), wish.withTelemetry, progress)
  chmodSync(join(half, dumpName), 0o600)
  syncFile(join(half, dumpName))
  const files: BackedUp[] = [{ path: dumpName, ...(await sumOf(join(half, dumpName), () => progress.check())) }]
  if (keepKey(config, wish, half)) files.push({ path: keyName, ...(await sumOf(join(half, keyName), () => undefined)) })
  return about({ engine: 'postgres', schema, created_at, files }, wish)
}

type Made = Pick<Manifest, 'engine' | 'schema' | 'created_at' | 'files'>

const about = (made: Made, { withTelemetry }: BackupWish): Manifest => ({
  format: 'watchpost-backup',
  format_version: 1,
  watchpost: version,
  schema: made.schema,
  engine: made.engine,
  created_at: made.created_at,
  telemetry: withTelemetry,
  instance_key: made.files.some(({ path }) => path === keyName),
  files: made.files,
})

function refuseUnreadable(dataDir: string): void {
  try {
    // Beside its log a reader, too, writes that it reads.
    accessSync(join(dataDir, mainName), constants.R_OK | constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') {
      throw new OperatorError(`There is no ${mainName} in ${dataDir}; name the data directory with --data-dir`)
    }
    throw new OperatorError(`${join(dataDir, mainName)} cannot be used (${code}); run this as the user of the server`)
  }
}

/** A key of the environment is what seals, whatever lies in the data directory. */
function keepKey(config: Config, { withKey }: BackupWish, half: string): boolean {
  const text = withKey ? readKey(config) : undefined
  if (text !== undefined) writeSynced(join(half, keyName), `${text}\n`)
  return text !== undefined
}

/** The key as the server has it, as far as it can be known here. */
export function readKey({ instanceKey, databaseUrl, dataDir }: Config): string | undefined {
  const file = join(dataDir, keyName)
  if (instanceKey !== undefined || databaseUrl !== undefined || !existsSync(file)) return instanceKey
  return readFileSync(file, 'utf8').trim()
}

/** In the order they are copied in: days of spans and logs, days of points, and what is made of points. */
function telemetryFiles(dataDir: string): string[] {
  const dir = join(dataDir, 'telemetry')
  const names = existsSync(dir) ? readdirSync(dir) : []
  const days = ['telemetry', 'points'].flatMap(family =>
    names.filter(name => new RegExp(`^${family}-\\d{8}\\.db$`).test(name)).toSorted(),
  )
  const all = days.map(name => `telemetry/${name}`)
  return names.includes(basename(metricsName)) ? [...all, metricsName] : all
}

async function refuseTooLarge(dir: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dir)
  const free = bavail * bsize
  if (free >= bytes + leftFree) return
  throw new OperatorError(
    `The backup needs about ${sizeText(bytes)} and leaves ${sizeText(leftFree)} to others, but ${sizeText(free)} are free in ${dir}; name a path on another disk, or leave the large part out with --without-telemetry`,
  )
}

/** Says what a full disk is called by everybody who may find it. */
async function explained(error: unknown, dir: string): Promise<unknown> {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (!/^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL|SQLITE_IOERR)/.test(code)) {
    if (code === 'SQLITE_BUSY')
      return new OperatorError(`The database is held by another program for too long: ${message}`)
    return error
  }
  const { bavail, bsize } = await statfs(dir)
  return new OperatorError(
    `The backup could not be written (${code}), ${sizeText(bavail * bsize)} are free in ${dir}; nothing is left of it: make room, or name a path on another disk`,
  )
}

function writeSynced(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600, flush: true })
}

/** Bytes of all its files. */
export function bytesOf({ files }: Manifest): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}
