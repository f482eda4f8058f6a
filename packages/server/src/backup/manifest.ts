import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mainName, metricsName } from '@watchpost/store'
import { OperatorError } from '../config.ts'
import { probeTokenName } from '../embedded-probe.ts'
import { keyName } from '../instance-key.ts'

/** What a backup says of itself, in `manifest.json`. */
export interface Manifest {
  format: 'watchpost-backup'
  format_version: 1
  /** Of the program that made it. */
  watchpost: string
  /** The newest migration in it. */
  schema: number
  engine: 'sqlite' | 'postgres'
  /** Everything that was acknowledged before is in it. */
  created_at: string
  telemetry: boolean
  instance_key: boolean
  files: BackedUp[]
}

export interface BackedUp {
  path: string
  bytes: number
  sha256: string
}

export const manifestName = 'manifest.json'
/** What `sha256sum -c` reads, the manifest's own among them. */
export const sumsName = 'SHA256SUMS'
export const dumpName = 'database.dump'

/** All that a backup may hold; nothing else is ever written into a data directory. */
const known = [mainName, keyName, probeTokenName, dumpName, metricsName]
const isKnown = (path: string): boolean =>
  known.includes(path) || /^telemetry\/(telemetry|points)-\d{8}\.db$/.test(path)

export const isDatabase = (path: string): boolean => path.endsWith('.db')

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`
}

export function sumsText(manifest: Manifest): string {
  const own = { path: manifestName, sha256: createHash('sha256').update(manifestText(manifest)).digest('hex') }
  return [own, ...manifest.files].map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('')
}

/**
 * What a backup says of itself.
 * @throws {OperatorError} where it is none, or one of a newer version
 */
export function readManifest(dir: string): Manifest {
  const file = join(dir, manifestName)
  if (!existsSync(file)) {
    const half = dir.endsWith('.partial') ? ' (one that was not finished)' : ''
    throw new OperatorError(`${dir} is no backup${half}: there is no ${manifestName} in it`)
  }
  let said: Partial<Manifest>
  try {
    // What is no object has none of what is asked for.
    said = Object(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new OperatorError(`${dir} is damaged: ${manifestName} cannot be read`)
  }
  const version: unknown = said.format_version
  if (said.format === 'watchpost-backup' && typeof version === 'number' && version > 1) {
    throw new OperatorError(
      `The backup was made by a newer version of Watchpost (${said.watchpost}); use that version or a newer one`,
    )
  }
  const isWhole =
    said.format === 'watchpost-backup' &&
    version === 1 &&
    typeof said.schema === 'number' &&
    (said.engine === 'sqlite' || said.engine === 'postgres') &&
    Array.isArray(said.files) &&
    said.files.every(file => {
      const { path, bytes, sha256 } = Object(file) as BackedUp
      return isKnown(path) && bytes >= 0 && /^[\da-f]{64}$/.test(sha256)
    })
  if (!isWhole) throw new OperatorError(`${dir} is damaged: ${manifestName} is not what was written`)
  return said as Manifest
}

/** What is wrong with the files of a backup, by their bytes alone. */
export async function damagesOf(
  dir: string,
  manifest: Manifest,
  progress: (path: string, bytes: number) => void,
): Promise<string[]> {
  const damages: string[] = []
  const text = readFileSync(join(dir, manifestName), 'utf8')
  if (text !== manifestText(manifest)) damages.push(`${manifestName} is not what was written`)
  const sums = join(dir, sumsName)
  if (!existsSync(sums)) damages.push(`${sumsName} is missing`)
  else if (readFileSync(sums, 'utf8') !== sumsText(manifest)) {
    damages.push(`${sumsName} and ${manifestName} do not agree: one of them was changed`)
  }
  const expected = new Map(manifest.files.map(file => [file.path, file]))
  for (const path of filesIn(dir)) {
    if (!expected.has(path) && path !== manifestName && path !== sumsName) damages.push(`${path} does not belong to it`)
  }
  for (const { path, bytes, sha256 } of manifest.files) {
    if (!existsSync(join(dir, path))) {
      damages.push(`${path} is missing`)
      continue
    }
    const found = await sumOf(join(dir, path), count => progress(path, count))
    if (found.bytes !== bytes) damages.push(`${path} has ${found.bytes} bytes, not ${bytes}`)
    else if (found.sha256 !== sha256) damages.push(`${path} was changed: its checksum is another`)
  }
  return damages
}

/** @param progress is told how many bytes came */
export async function sumOf(
  file: string,
  progress: (bytes: number) => void,
): Promise<{ bytes: number; sha256: string }> {
  const sum = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 1_048_576 })) {
    sum.update(chunk)
    bytes += chunk.length
    progress(chunk.length)
  }
  return { bytes, sha256: sum.digest('hex') }
}

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => join(entry.parentPath, entry.name).slice(join(dir, '/').length))
}
