import type { BigIntStats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../usage-error.ts'

/**
 * Files that were named, and what folders that were named hold, in the order of names; each real file once.
 * @throws {UsageError} naming what cannot be read
 */
export async function filesOf(paths: readonly string[]): Promise<string[]> {
  const files: Found[] = []
  for (const path of paths) {
    if (path === '-') files.push({ path, real: path })
    else files.push(...(await named(path)))
  }
  const seen = new Set<string>()
  return files.filter(({ real }) => !seen.has(real) && seen.add(real)).map(({ path }) => path)
}

interface Found {
  path: string
  /** The same of every name that leads to it. */
  real: string
}

async function named(path: string): Promise<Found[]> {
  const about = await look(path)
  if (!about.isDirectory()) return [{ path, real: realOf(about) }]
  const found = await below(path, about, new Set())
  if (found.length === 0) throw new UsageError(`${path}: holds no .yaml, .yml or .json file`)
  return found.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** @param entered folders that were read: links make circles */
async function below(folder: string, about: BigIntStats, entered: Set<string>): Promise<Found[]> {
  if (entered.has(realOf(about))) return []
  entered.add(realOf(about))
  const entries = await readdir(folder, { withFileTypes: true }).catch(error => unreadable(folder, error))
  const found: Found[] = []
  // A folder that links lead to as well is read under the name that comes first.
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const isAsked = /\.(ya?ml|json)$/.test(entry.name) && !entry.name.endsWith('.schema.json')
    if (entry.isFile() && !isAsked) continue
    const path = join(folder, entry.name)
    const at = entry.isSymbolicLink() ? await follow(path) : await look(path)
    if (at.isDirectory()) found.push(...(await below(path, at, entered)))
    else if (at.isFile() && isAsked) found.push({ path, real: realOf(at) })
  }
  return found
}

const realOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`

const look = (path: string): Promise<BigIntStats> =>
  stat(path, { bigint: true }).catch(error => unreadable(path, error))

/** What a link leads to. One that leads nowhere may have named what `--prune` would then delete. */
const follow = (path: string): Promise<BigIntStats> =>
  stat(path, { bigint: true }).catch(error => unreadable(`what the link ${path} leads to`, error))

function unreadable(what: string, error: unknown): never {
  throw new UsageError(`cannot read ${what} (${(error as NodeJS.ErrnoException).code})`)
}
