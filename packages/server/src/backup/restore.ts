import { constants, createWriteStream, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { type FileHandle, open, rename, rm, rmdir, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { lookAtPostgres, mainName, makeDataDir, ownDataDir, setAside } from '@watchpost/store'
import { type Config, OperatorError } from '../config.ts'
import { becomeOwnerOf, ownerText, sizeText, syncDir, syncFile } from './files.ts'
import { type BackedUp, dumpName, type Manifest, sumOf } from './manifest.ts'
import { requirePgRestore, restorePostgres } from './postgres.ts'
import type { Progress } from './progress.ts'
import { refuseNewer, type Verified, verifyBackup } from './verify.ts'

/** What became of a restore. */
export interface Restored {
  manifest: Manifest
  notes: string[]
  /** Where what was there before is now. */
  aside: string | undefined
}

/**
 * Brings a backup back, once it is known to be whole. What was there is moved aside, never deleted.
 * @throws {OperatorError} with what to mend; what was there is as it was then
 */
export async function restoreBackup(
  config: Config,
  dir: string,
  force: boolean,
  progress: Progress,
): Promise<Restored> {
  const verified = await verifyBackup(dir, progress, { full: false })
  refuseNewer(verified.manifest)
  const { problems, manifest, notes } = verified
  if (problems.length > 0) {
    throw new OperatorError(`${dir} is damaged, so nothing was restored: ${problems.slice(0, 3).join('; ')}`)
  }
  const isPostgres = config.databaseUrl !== undefined
  if ((manifest.engine === 'postgres') !== isPostgres) {
    throw new OperatorError(
      isPostgres
        ? 'The backup is of an instance on SQLite; restore it without --database-url'
        : 'The backup is of an instance on PostgreSQL; name an empty database with --database-url',
    )
  }
  const aside = isPostgres
    ? await restoreDatabase(config.databaseUrl as string, dir, force, progress)
    : await restoreFiles(config.dataDir, dir, verified, force, progress)
  return { manifest, notes, aside }
}

/** What may lie in a directory that is called empty: the lock of a server that is not running, and what a disk has. */
const nothing = /^(server\.lock(-journal)?|lost\+found|(restoring|before-restore)-\d+|last-backup\.json)$/

async function restoreFiles(
  given: string,
  dir: string,
  { manifest }: Verified,
  force: boolean,
  progress: Progress,
): Promise<string | undefined> {
  const dataDir = resolve(given)
  const wasThere = existsSync(dataDir)
  const sources = await openSources(dir, manifest)
  try {
    makeDataDir(dataDir)
    const back = becomeOwnerOf(dataDir)
    try {
      return await restoreInto(dataDir, given, sources, manifest, force, progress)
    } finally {
      back()
    }
  } finally {
    for (const { handle } of sources) await handle.close()
    if (!wasThere && !existsSync(join(dataDir, mainName))) await rm(dataDir, { recursive: true, force: true })
  }
}

/** A file of a backup, open: only whoever began may read it. */
interface Source extends BackedUp {
  handle: FileHandle
}

async function openSources(dir: string, { files }: Manifest): Promise<Source[]> {
  const sources: Source[] = []
  try {
    // Of another user, a link could have root read what they may not.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)
    for (const file of files) sources.push({ ...file, handle: await open(join(dir, file.path), flags) })
    return sources
  } catch (error) {
    for (const { handle } of sources) await handle.close()
    const { code, path } = error as NodeJS.ErrnoException
    throw new OperatorError(
      `${path} cannot be read (${code === 'ELOOP' ? 'it is a link' : code}); nothing was restored`,
    )
  }
}

async function restoreInto(
  dataDir: string,
  given: string,
  sources: Source[],
  manifest: Manifest,
  force: boolean,
  progress: Progress,
): Promise<string | undefined> {
  // Held until the end: no server starts on what is half there.
  const release = ownDataDir(dataDir)
  const staged = join(dataDir, `restoring-${Date.now()}`)
  try {
    const there = readdirSync(dataDir).filter(name => !nothing.test(name))
    if (there.length > 0 && !force) {
      throw new OperatorError(
        `${given} is not empty; restore into another directory, or have what is there moved aside with --force`,
      )
    }
    for (const name of readdirSync(dataDir).filter(each => /^restoring-\d+$/.test(each))) {
      await rm(join(dataDir, name), { recursive: true })
    }
    await stage(staged, sources, progress)
    return await putInPlace(dataDir, staged, there, manifest)
  } catch (error) {
    await rm(staged, { recursive: true, force: true })
    throw explained(error, given)
  } finally {
    release()
  }
}

/** Copies, and reads again what was written: memory and disks fail, too. */
async function stage(staged: string, sources: Source[], progress: Progress): Promise<void> {
  const total = sources.reduce((sum, { bytes }) => sum + bytes, 0)
  const { bavail, bsize } = await statfs(dirname(staged))
  if (bavail * bsize < total) {
    const free = `${sizeText(bavail * bsize)} are free in ${dirname(staged)}`
    throw new OperatorError(`Nothing was restored: ${sizeText(total)} are needed, and ${free}; make room first`)
  }
  mkdirSync(staged, { mode: 0o700 })
  progress.begin(total)
  let done = 0
  for (const { path, sha256, handle } of sources) {
    progress.at(path, done)
    const to = join(staged, path)
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    const source = handle.createReadStream({ autoClose: false, highWaterMark: 1_048_576 })
    await pipeline(source, createWriteStream(to, { mode: 0o600, flags: 'wx' }))
    syncFile(to)
    const copied = await sumOf(to, bytes => {
      done += bytes
      progress.at(path, done)
    })
    if (copied.sha256 !== sha256) throw new OperatorError(`${path} was written to ${staged}, and reads differently`)
  }
  if (existsSync(join(staged, 'telemetry'))) syncDir(join(staged, 'telemetry'))
  syncDir(staged)
}

/**
 * Within the data directory, which may be a disk of its own, or in a directory that is not ours: only names change, and the
 * main database, which is what a server looks for, leaves first and comes last.
 */
async function putInPlace(
  dataDir: string,
  staged: string,
  there: string[],
  { files }: Manifest,
): Promise<string | undefined> {
  const aside = there.length === 0 ? undefined : join(dataDir, `before-restore-${basename(staged).slice(10)}`)
  const moved: [string, string][] = []
  const move = async (from: string, to: string) => {
    await rename(from, to)
    moved.push([from, to])
  }
  try {
    if (aside !== undefined) {
      mkdirSync(aside, { mode: 0o700 })
      for (const name of mainFirst(there)) await move(join(dataDir, name), join(aside, name))
    }
    const fresh = [...new Set(files.map(({ path }) => path.split('/')[0] as string))]
    for (const name of mainFirst(fresh).toReversed()) await move(join(staged, name), join(dataDir, name))
  } catch (error) {
    for (const [from, to] of moved.toReversed()) await rename(to, from)
    // Empty by now; where it is not, it stays.
    if (aside !== undefined) await rmdir(aside).catch(() => undefined)
    throw error
  }
  syncDir(dataDir)
  await rm(staged, { recursive: true, force: true })
  return aside
}

/** `watchpost.db`, and its log before anything else. */
function mainFirst(names: string[]): string[] {
  const place = (name: string) => (name === mainName ? 0 : name.startsWith(mainName) ? 1 : 2)
  return names.toSorted((a, b) => place(a) - place(b))
}

async function restoreDatabase(
  url: string,
  dir: string,
  force: boolean,
  progress: Progress,
): Promise<string | undefined> {
  const { tables, others, schema } = await lookAtPostgres(url)
  if (others.length > 0) {
    const count = others.length === 1 ? 'another connection' : `${others.length} other connections`
    const who = [...new Set(others)].slice(0, 3).join(', ')
    throw new OperatorError(`The database is in use by ${count} (${who}); stop what uses it first`)
  }
  if (tables > 0 && !force) {
    throw new OperatorError(
      'The database is not empty; restore into another one, or have what is there moved aside with --force',
    )
  }
  if (tables > 0) await requirePgRestore(progress)
  const aside = `before_restore_${Date.now()}`
  const bringBack = tables > 0 ? await setAside(url, schema, aside) : undefined
  try {
    await restorePostgres(url, join(dir, dumpName), progress)
    const { migrations } = await lookAtPostgres(url)
    if (migrations.length === 0) throw new OperatorError(`Nothing of the dump belongs to schema ${schema}`)
  } catch (error) {
    await bringBack?.()
    throw error
  }
  return bringBack && `schema ${aside}`
}

function explained(error: unknown, dataDir: string): unknown {
  const { code = '', path = dataDir } = error as NodeJS.ErrnoException
  const mend = mends.find(([codes]) => codes.test(code))?.[1](path)
  return mend === undefined ? error : new OperatorError(`Nothing was restored into ${dataDir} (${code}): ${mend}`)
}

const mends: [RegExp, (path: string) => string][] = [
  [/^(ENOSPC|EDQUOT|EFBIG)$/, () => 'the disk is full; make room, or choose another directory'],
  [/^(EACCES|EPERM|EROFS)$/, path => `${path} may not be written; it is of ${ownerText(path)}`],
  [/^(EBUSY|EXDEV)$/, path => `${path} is a mount of its own, which cannot be moved aside; unmount it first`],
]
