import { chownSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Gives a directory with all that is in it to a user without rights. Only root can; for others nothing changes, and they are
 * the user without rights.
 * @returns the id of that user
 */
export function giveAway(dir: string): number {
  if (process.getuid?.() !== 0) return statSync(dir).uid
  const nobody = 65_534
  for (const name of ['', ...readdirSync(dir, { recursive: true, encoding: 'utf8' })]) {
    chownSync(join(dir, name), nobody, nobody)
  }
  return nobody
}
