import { UsageError } from '../usage-error.ts'

/**
 * The word as the id of a thing: the API numbers everything from 1.
 * @param listedBy what shows the ids: a verb beside this one, or a whole line
 */
export function idOf(word: string | undefined, label = 'ID', listedBy = 'list'): number {
  const id = /^\d+$/.test(word ?? '') ? Number(word) : 0
  if (!Number.isSafeInteger(id) || id < 1) {
    throw new UsageError(`${label}: must be a positive whole number, not "${word}"; "${listedBy}" shows the ids`)
  }
  return id
}
