import type { ErrorKind, Outcome } from '@watchpost/contract'
import { type Check, type CheckType, TargetError } from './check-type.ts'
import type { AddressPolicy } from './guard.ts'

/** What a check is given to say what it saw once the deadline has come. */
const graceMilliseconds = 500

export interface RunOptions {
  /** Abort to give the check up: the outcome is then `error`, for it says nothing of the target. */
  signal?: AbortSignal
  /** Private addresses are allowed unless this says otherwise. */
  policy?: AddressPolicy
}

/** Runs a check of this type under one deadline, `check.timeout` seconds. Never throws. */
export async function runWithin(type: CheckType, check: Check, options: RunOptions = {}): Promise<Outcome> {
  const { signal, policy = { private: 'allow' } } = options
  const deadline = new AbortController()
  const giveUp = () => deadline.abort()
  const timers = [setTimeout(giveUp, check.timeout * 1000)]
  if (signal?.aborted) giveUp()
  else signal?.addEventListener('abort', giveUp, { once: true })

  let over = false
  // Should a type overlook the deadline, this ends the wait all the same.
  const backstop = new Promise<Outcome>(resolve => {
    deadline.signal.addEventListener('abort', () => {
      if (over) return
      const late = outcome('offline', 'timeout', `The check did not end within ${check.timeout} s.`)
      timers.push(setTimeout(() => resolve(late), graceMilliseconds))
    })
  })
  try {
    if (deadline.signal.aborted) return cancelled()
    const found = await Promise.race([type.run(check, deadline.signal, policy), backstop])
    return signal?.aborted ? cancelled() : found
  } catch (error) {
    if (error instanceof TargetError) return outcome('error', 'probe_internal', `The target ${error.message}.`)
    const name = error instanceof Error ? error.name : typeof error
    return outcome('error', 'probe_internal', `The check failed for a reason of its own (${name}).`)
  } finally {
    over = true
    for (const timer of timers) clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
    // Whatever the check still holds, if the backstop ended it, it now has to let go.
    deadline.abort()
  }
}

const cancelled = () => outcome('error', 'probe_internal', 'The check was cancelled.')

function outcome(status: Outcome['status'], kind: ErrorKind, message: string): Outcome {
  return { status, response_time_ms: null, error_kind: kind, error_message: message, timings: {}, details: {} }
}
