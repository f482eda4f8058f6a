import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspectSqlite, mainName, migrations } from '@watchpost/store'
import { OperatorError } from '../config.ts'
import { keyName } from '../instance-key.ts'
import { damagesOf, dumpName, isDatabase, type Manifest, readManifest } from './manifest.ts'
import { tablesOfDump } from './postgres.ts'
import type { Progress } from './progress.ts'
import { opensSealed } from './sealed.ts'

/** What a look at a backup found. */
export interface Verified {
  manifest: Manifest
  /** What is wrong with it; none where it is whole. */
  problems: string[]
  /** What could not be looked at, or is worth knowing. */
  notes: string[]
  /** Rows of the main tables, by file. */
  rows: Record<string, Record<string, number>>
}

/** Tables that say at a glance whether it is the right instance, and from when. */
const mainTables = [
  'teams',
  'users',
  'monitors',
  'incidents',
  'channels',
  'status_pages',
  'probes',
  'apps',
  'tokens',
  'audit_log',
]
const metricTables = ['metric_series', 'metric_rollups']

/**
 * Looks whether a backup is whole: every byte, every database, the schema, and whether the key opens what is sealed.
 * @param options.full whether indexes agree with their tables, too
 * @throws {OperatorError} where it is no backup at all
 */
export async function verifyBackup(dir: string, progress: Progress, options: { full: boolean }): Promise<Verified> {
  const manifest = readManifest(dir)
  const verified: Verified = { manifest, problems: [], notes: [], rows: {} }
  progress.begin(manifest.files.reduce((sum, { bytes }) => sum + bytes, 0))
  let done = 0
  verified.problems.push(
    ...(await damagesOf(dir, manifest, (path, bytes) => {
      done += bytes
      progress.at(path, done)
    })),
  )
  // What was changed is not opened: nobody knows what would be read.
  if (verified.problems.length > 0) return verified
  if (manifest.schema > newest) {
    verified.notes.push(`it is of a newer version of Watchpost (schema ${manifest.schema}, ours is ${newest})`)
  }
  if (manifest.engine === 'postgres') await lookAtDump(dir, verified, progress)
  else lookAtFiles(dir, verified, options.full ? 'full' : 'quick', progress)
  return verified
}

/** The newest migration of this program. */
export const newest = Math.max(...migrations.map(({ id }) => id))

/** @throws {OperatorError} where this program cannot use what is in it */
export function refuseNewer({ schema, watchpost }: Manifest): void {
  if (schema <= newest) return
  throw new OperatorError(
    `The backup was made by a newer version of Watchpost (${watchpost}, schema ${schema}); use that version or a newer one`,
  )
}

function lookAtFiles(dir: string, verified: Verified, check: 'quick' | 'full', progress: Progress): void {
  const { manifest, problems, rows, notes } = verified
  for (const { path } of manifest.files.filter(file => isDatabase(file.path))) {
    progress.check()
    const count = path === mainName ? mainTables : [...metricTables, ...countedOf(path)]
    const found = inspectSqlite(join(dir, path), { check, count, isCopy: true })
    const wrong = found.trouble === undefined ? found.problems : [found.trouble, ...found.problems]
    problems.push(...wrong.map(text => `${path}: ${text}`))
    rows[path] = found.counts
    if (path === mainName && wrong.length === 0 && Math.max(0, ...found.schema) !== manifest.schema) {
      problems.push(`${path} has schema ${Math.max(0, ...found.schema)}, not ${manifest.schema}`)
    }
  }
  if (!(mainName in rows)) problems.push(`${mainName} is not in it`)
  if (problems.length > 0) return
  const key = join(dir, keyName)
  if (!existsSync(key)) {
    notes.push('the instance key is not in it: without it sealed secrets of channels and apps cannot be read')
  } else if (opensSealed(join(dir, mainName), readFileSync(key, 'utf8').trim(), true) === false) {
    problems.push(`${keyName} does not open what is sealed in ${mainName}`)
  }
}

/** Of a day's file, the table that holds what was sent. */
function countedOf(path: string): string[] {
  const [, family, day] = /(telemetry|points)-(\d{8})\.db$/.exec(path) ?? []
  if (family === undefined) return []
  return family === 'telemetry' ? [`telemetry_blocks_${day}`] : [`points_inbox_${day}`, `points_chunks_${day}`]
}

async function lookAtDump(
  dir: string,
  { manifest, problems, notes, rows }: Verified,
  progress: Progress,
): Promise<void> {
  try {
    const tables = await tablesOfDump(join(dir, dumpName), progress)
    if (tables === undefined) notes.push('there is no pg_restore here: only the checksums were looked at')
    else if (tables === 0) problems.push(`${dumpName} holds no tables`)
    else rows[dumpName] = { tables }
  } catch (error) {
    progress.check()
    problems.push(`${dumpName}: ${(error as Error).message}`)
  }
  if (!manifest.instance_key) notes.push('the instance key is not in it: keep WATCHPOST_INSTANCE_KEY elsewhere')
}
