import { chownSync, closeSync, existsSync, fsyncSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Its bytes are on the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** The names in it are on the disk. */
export function syncDir(path: string): void {
  const dir = openSync(path, 'r')
  try {
    fsyncSync(dir)
  } finally {
    closeSync(dir)
  }
}

/** What root makes in a directory of somebody else is theirs, with all that is in it: their server must be able to use it. */
export function giveToOwnerOf(dir: string, ...paths: string[]): void {
  const { uid, gid } = statSync(dir)
  if (process.getuid?.() !== 0 || uid === 0) return
  for (const path of paths.filter(each => existsSync(each))) {
    chownSync(path, uid, gid)
    if (!statSync(path).isDirectory()) continue
    for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) chownSync(join(path, name), uid, gid)
  }
}

/** As people read sizes. */
export function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`
  return `${Math.ceil(bytes / 1000)} kB`
}
