import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { copyFile, rename, rm, rmdir, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { lookAtPostgres, makeDataDir, ownDataDir, setAside } from '@watchpost/store'
import { type Config, OperatorError } from '../config.ts'
import { giveToOwnerOf, sizeText, syncDir, syncFile } from './files.ts'
import { dumpName, type Manifest, mainName, sumOf } from './manifest.ts'
import { restorePostgres } from './postgres.ts'
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
    ? await restoreDatabase(config.databaseUrl as string, dir, force)
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
  makeDataDir(dataDir)
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
    await stage(dir, staged, manifest, progress)
    return await putInPlace(dataDir, staged, there, manifest)
  } catch (error) {
    await rm(staged, { recursive: true, force: true })
    throw explained(error, given)
  } finally {
    release()
    if (!wasThere && !existsSync(join(dataDir, mainName))) await rm(dataDir, { recursive: true, force: true })
  }
}

/** Copies, and reads again what was written: memory and disks fail, too. */
async function stage(dir: string, staged: string, { files }: Manifest, progress: Progress): Promise<void> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const { bavail, bsize } = await statfs(dirname(staged))
  if (bavail * bsize < total) {
    const free = `${sizeText(bavail * bsize)} are free in ${dirname(staged)}`
    throw new OperatorError(`Nothing was restored: ${sizeText(total)} are needed, and ${free}; make room first`)
  }
  mkdirSync(staged, { mode: 0o700 })
  progress.begin(total)
  let done = 0
  for (const { path, sha256 } of files) {
    progress.at(path, done)
    const to = join(staged, path)
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    await copyFile(join(dir, path), to)
    chmodSync(to, 0o600)
    syncFile(to)
    const copied = await sumOf(to, bytes => {
      done += bytes
      progress.at(path, done)
    })
    if (copied.sha256 !== sha256) throw new OperatorError(`${path} was written to ${staged}, and reads differently`)
  }
  giveToOwnerOf(dirname(staged), staged, join(dirname(staged), 'server.lock'))
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
      giveToOwnerOf(dataDir, aside)
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

async function restoreDatabase(url: string, dir: string, force: boolean): Promise<string | undefined> {
  const { tables, others, schema } = await lookAtPostgres(url)
  if (others > 0) {
    throw new OperatorError(`The database is in use by ${others} other connections; stop what uses it first`)
  }
  if (tables > 0 && !force) {
    throw new OperatorError(
      'The database is not empty; restore into another one, or have what is there moved aside with --force',
    )
  }
  const aside = `before_restore_${Date.now()}`
  const bringBack = tables > 0 ? await setAside(url, schema, aside) : undefined
  try {
    await restorePostgres(url, join(dir, dumpName))
    const { migrations } = await lookAtPostgres(url)
    if (migrations.length === 0) throw new OperatorError(`Nothing of the dump belongs to schema ${schema}`)
  } catch (error) {
    await bringBack?.()
    throw error
  }
  return bringBack && `schema ${aside}`
}

function explained(error: unknown, dataDir: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (!/^(ENOSPC|EDQUOT|EFBIG|EACCES|EPERM|EROFS)$/.test(code)) return error
  const mend = /^E(NOSPC|DQUOT|FBIG)$/.test(code)
    ? 'the disk is full; make room, or choose another directory'
    : 'it may not be written'
  return new OperatorError(`Nothing was restored into ${dataDir} (${code}): ${mend}`)
}
