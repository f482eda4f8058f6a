import { ApiError, UnreachableError } from '@watchpost/contract'
import { pause } from '../pause.ts'

/** One round of a loop: what was read, or why not and when the next round is. */
export type Beat<T> = { at: number; data: T } | { at: number; error: Error; retryInMs: number }

export interface Pace {
  intervalMs: number
  signal: AbortSignal
}

/**
 * Reads again and again until the signal aborts. Passing trouble is a beat of its own; what will not mend by waiting
 * (a revoked token, a deleted monitor) is thrown.
 */
export async function* poll<T>(load: () => Promise<T>, { intervalMs, signal }: Pace): AsyncGenerator<Beat<T>> {
  while (!signal.aborted) {
    const beat = await oneBeat(load, intervalMs)
    if (signal.aborted) return
    yield beat
    try {
      await pause('error' in beat ? beat.retryInMs : intervalMs, signal)
    } catch {
      return
    }
  }
}

async function oneBeat<T>(load: () => Promise<T>, intervalMs: number): Promise<Beat<T>> {
  try {
    return { data: await load(), at: Date.now() }
  } catch (error) {
    if (!isPassing(error)) throw error
    const asked = error instanceof ApiError && error.retryAfter !== undefined ? error.retryAfter * 1000 : 0
    return { error: error as Error, at: Date.now(), retryInMs: Math.max(intervalMs, asked) }
  }
}

/** Trouble that may be over at the next attempt. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof UnreachableError || (error instanceof ApiError && (error.status === 429 || error.status >= 500))
  )
}
