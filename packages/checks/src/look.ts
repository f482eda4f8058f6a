import { type ErrorKind, type Outcome, probeErrorKinds } from '@watchpost/contract'
import type { Check } from './check-type.ts'
import { Failure } from './failure.ts'
import type { AddressPolicy } from './guard.ts'
import { Stopwatch } from './stopwatch.ts'

/** One look at a target: what it may use, and what it has seen so far. */
export interface Look {
  /** Aborted at the deadline. */
  signal: AbortSignal
  policy: AddressPolicy
  /** Seconds of the whole check, for messages. */
  timeout: number
  watch: Stopwatch
  /** Grows as the check goes on, so that a failure shows what was seen before it. */
  details: Record<string, unknown>
}

/**
 * Runs the work of a check type and makes its `Outcome`: `online` when the work returns, otherwise what the thrown
 * `Failure` says. Anything else that is thrown is a mistake of ours, and is thrown on.
 */
export async function look(
  check: Check,
  signal: AbortSignal,
  policy: AddressPolicy,
  work: (look: Look) => Promise<void>,
): Promise<Outcome> {
  const seen: Look = { signal, policy, timeout: check.timeout, watch: new Stopwatch(), details: {} }
  let failure: Failure | null = null
  try {
    await work(seen)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    failure = error
  }
  return {
    status: failure ? statusOf(failure.kind) : 'online',
    response_time_ms: seen.watch.responseTime,
    error_kind: failure?.kind ?? null,
    error_message: failure?.message ?? null,
    timings: seen.watch.timings,
    details: seen.details,
  }
}

/** `error` where the probe could not look, `offline` where the target failed. */
export function statusOf(kind: ErrorKind): 'offline' | 'error' {
  return (probeErrorKinds as readonly string[]).includes(kind) ? 'error' : 'offline'
}

/**
 * Waits for `work` until the deadline.
 * @throws {Failure} the one that `late` makes, when the deadline comes first; whatever `work` throws otherwise
 */
export function beforeDeadline<T>(signal: AbortSignal, work: Promise<T>, late: () => Failure): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(late())
    const settled = () => signal.removeEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
    work.then(
      value => {
        settled()
        resolve(value)
      },
      error => {
        settled()
        reject(error)
      },
    )
  })
}
