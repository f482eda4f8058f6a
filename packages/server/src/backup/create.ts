import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { rename, rm, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import {
  inspectSqlite,
  isDamage,
  mainName,
  metricsName,
  sequencesOf,
  settleMainCopy,
  sizeOfSqlite,
  snapshotOf,
} from '@watchpost/store'
import { type Config, OperatorError } from '../config.ts'
import { probeTokenName } from '../embedded-probe.ts'
import { keyName, readKey } from '../instance-key.ts'
import { version } from '../version.ts'
import { asOwnerOf, becomeOwnerOf, ownerText, sizeText, syncDir, syncFile } from './files.ts'
import { noteBackup } from './last-backup.ts'
import {
  type BackedUp,
  dumpName,
  type Manifest,
  manifestName,
  manifestText,
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
  const back = becomeOwnerOfBoth(config.dataDir, dirname(path))
  try {
    return await createAt(path, config, wish, progress)
  } finally {
    back()
  }
}

/** Where the data and the backups belong to the same user, root makes one that is theirs, as those of their own are. */
function becomeOwnerOfBoth(dataDir: string, dir: string): () => void {
  const [data, backups] = [dataDir, dir].map(each => statSync(each, { throwIfNoEntry: false })?.uid)
  return data === backups && backups !== undefined ? becomeOwnerOf(dir) : () => undefined
}

async function createAt(path: string, config: Config, wish: BackupWish, progress: Progress): Promise<Manifest> {
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
    syncName(path)
    noteBackup(config, path, manifest)
    return manifest
  } catch (error) {
    // Before it is deleted: afterwards there is room.
    const told = await explained(error, dirname(path))
    await rm(half, { recursive: true, force: true })
    throw told
  }
}

/** It is there by now, whole. Where its directory cannot be read, as some can only be written, the name is safe a little later. */
function syncName(path: string): void {
  try {
    syncDir(dirname(path))
  } catch {}
}

/**
 * The main database comes first: what telemetry has counted beyond the mark in it is counted when the copy is started, and
 * a mark beyond what is in the file of a day would lose it. Points come before what is made of them: those that were put
 * together meanwhile are still among the points, with a mark against doing it twice.
 */
async function copyFiles(config: Config, wish: BackupWish, half: string, progress: Progress): Promise<Manifest> {
  const { dataDir } = config
  if (!existsSync(join(dataDir, mainName))) {
    throw new OperatorError(`There is no ${mainName} in ${dataDir}; name the data directory with --data-dir`)
  }
  /** Of a file of theirs, which is read as them. */
  const from = <T>(name: string, read: (path: string) => T): T => {
    const path = join(dataDir, name)
    try {
      return asOwnerOf(dataDir, () => read(path))
    } catch (error) {
      throw unreadable(path, error)
    }
  }
  const created_at = new Date().toISOString()
  // Only once the main database is copied: every day that is marked in it has its file by now.
  const telemetry = () => (wish.withTelemetry ? from('telemetry', telemetryFiles) : [])
  const total = [mainName, ...telemetry()].reduce((sum, name) => sum + from(name, sizeOfSqlite), 0)
  await refuseTooLarge(dirname(half), total)
  progress.begin(total)

  const files: BackedUp[] = []
  const add = async (name: string) => {
    chmodSync(join(half, name), 0o600)
    files.push({ path: name, ...(await sumOf(join(half, name), () => progress.check())) })
  }
  const copied: string[] = []
  const copy = async (name: string) => {
    // One may have become too old and be gone by the time it is its turn.
    const source = from(name, snapshotOf)
    if (source === undefined) return
    try {
      await source.copyTo(join(half, name), done => progress.at(name, done))
      copied.push(name)
    } catch (error) {
      throw isOfReading(error) ? unreadable(join(dataDir, name), error) : error
    } finally {
      from(name, () => source.close())
      progress.next()
    }
  }
  await copy(mainName)
  const names = telemetry()
  if (names.length > 0) mkdirSync(join(half, 'telemetry'), { mode: 0o700 })
  for (const name of names) await copy(name)
  settleMainCopy(join(half, mainName), {
    sequences: from(mainName, sequencesOf),
    withoutTelemetry: !wish.withTelemetry,
  })
  for (const name of copied) await add(name)
  const token = from(probeTokenName, path => (existsSync(path) ? readFileSync(path, 'utf8') : undefined))
  if (token !== undefined) {
    writeSynced(join(half, probeTokenName), token)
    await add(probeTokenName)
  }
  const key = wish.withKey ? from(keyName, () => readKey(config)) : undefined
  if (keepKey(key, half)) await add(keyName)
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
  if (keepKey(wish.withKey ? readKey(config) : undefined, half)) {
    files.push({ path: keyName, ...(await sumOf(join(half, keyName), () => undefined)) })
  }
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

/** A key of the environment is what seals, whatever lies in the data directory. */
function keepKey(key: string | undefined, half: string): boolean {
  if (key !== undefined) writeSynced(join(half, keyName), `${key}\n`)
  return key !== undefined
}

/** In the order they are copied in: days of spans and logs, days of points, and what is made of points. */
function telemetryFiles(dir: string): string[] {
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

/** Whether it says that a source cannot be read, and not that the copy cannot be written. */
function isOfReading(error: unknown): boolean {
  return /^SQLITE_(IOERR_(READ|SHORT_READ)|CORRUPT|NOTADB|BUSY|PROTOCOL)/.test(codeOf(error))
}

function unreadable(path: string, error: unknown): Error {
  if (error instanceof OperatorError) return error
  const code = codeOf(error)
  const { message } = error as Error
  if (isDamage(error)) return new OperatorError(`${path} is damaged (${message}); see watchpost-server doctor`)
  if (/^SQLITE_(BUSY|PROTOCOL)/.test(code)) return new OperatorError(`${path} is held by another program for too long`)
  if (/^(SQLITE_IOERR|EIO)/.test(code)) return new OperatorError(`${path} cannot be read (${code}): its disk fails`)
  return new OperatorError(
    `${path} cannot be read (${code || message}); it is of ${ownerText(path)}: give it to the user of the server, and run this as them`,
  )
}

/** Says what a full disk is called by everybody who may find it. */
async function explained(error: unknown, dir: string): Promise<unknown> {
  const code = codeOf(error)
  if (!/^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL|SQLITE_IOERR)/.test(code)) return error
  const { bavail, bsize } = await statfs(dir)
  return new OperatorError(
    `The backup could not be written (${code}), ${sizeText(bavail * bsize)} are free in ${dir}; nothing is left of it: make room, or name a path on another disk`,
  )
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}

function writeSynced(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600, flag: 'wx', flush: true })
}

/** Bytes of all its files. */
export function bytesOf({ files }: Manifest): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}
