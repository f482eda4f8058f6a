import { UsageError } from '../usage-error.ts'

/** The word as the id of a thing: the API numbers everything from 1. */
export function idOf(word: string | undefined, label = 'ID'): number {
  const id = /^\d+$/.test(word ?? '') ? Number(word) : 0
  if (!Number.isSafeInteger(id) || id < 1) {
    throw new UsageError(`${label}: must be a positive whole number, not "${word}"; "list" shows the ids`)
  }
  return id
}
