import { closeSync, fsyncSync, openSync, statSync } from 'node:fs'
import { OperatorError } from '../config.ts'

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

/**
 * Makes root whom a directory belongs to. Links that somebody else lays lead root anywhere, and names may change between a
 * look and a write; so what is theirs is read and written as them, and what is made there is theirs.
 * @returns what makes it root again
 * @throws {OperatorError} where they cannot come to it, as in a place that only root may enter
 */
export function becomeOwnerOf(dir: string): () => void {
  const { uid, gid } = statSync(dir)
  const { getgroups, setgroups, setegid, seteuid } = process
  if (process.geteuid?.() !== 0 || uid === 0 || !getgroups || !setgroups || !setegid || !seteuid) return () => undefined
  const [group, groups] = [process.getegid?.() ?? 0, getgroups()]
  const back = () => {
    seteuid(0)
    setegid(group)
    setgroups(groups)
  }
  try {
    setgroups([gid])
    setegid(gid)
    seteuid(uid)
    statSync(dir)
    return back
  } catch (error) {
    back()
    const { code, syscall } = error as NodeJS.ErrnoException
    const why = `${syscall ?? 'it'}: ${code}`
    throw new OperatorError(
      `${dir} belongs to ${ownerText(dir)}, whom root cannot be here (${why}); run this as that user`,
    )
  }
}

/** The same for as long as something takes that is over at once. */
export function asOwnerOf<T>(dir: string, work: () => T): T {
  const back = becomeOwnerOf(dir)
  try {
    return work()
  } finally {
    back()
  }
}

/** Whom something belongs to, or what keeps it from being known. */
export function ownerText(path: string): string {
  try {
    return `uid ${statSync(path).uid}`
  } catch (error) {
    return `somebody (${(error as NodeJS.ErrnoException).code})`
  }
}

/** As people read sizes. */
export function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`
  return `${Math.ceil(bytes / 1000)} kB`
}
