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

const anyAddress: AddressPolicy = { private: 'allow' }
// Made once: the trace of an exception made for every check that ends costs more than the check.
const over = new DOMException('The time of this check is over.', 'AbortError')

/** Runs a check of this type under one deadline, `check.timeout` seconds. Never throws. */
export async function runWithin(type: CheckType, check: Check, options: RunOptions = {}): Promise<Outcome> {
  const { signal, policy = anyAddress } = options
  if (signal?.aborted) return cancelled()
  const deadline = new AbortController()
  const backstop = Promise.withResolvers<Outcome>()
  const giveUp = () => {
    deadline.abort(over)
    clearTimeout(timer)
    // Should a type overlook the deadline, this ends the wait all the same.
    const late = outcome('offline', 'timeout', `The check did not end within ${check.timeout} s.`)
    timer = setTimeout(backstop.resolve, graceMilliseconds, late)
  }
  let timer = setTimeout(giveUp, check.timeout * 1000)
  signal?.addEventListener('abort', giveUp, { once: true })
  try {
    const found = await Promise.race([type.run(check, deadline.signal, policy), backstop.promise])
    return signal?.aborted ? cancelled() : found
  } catch (error) {
    if (error instanceof TargetError) return outcome('error', 'probe_internal', `The target ${error.message}.`)
    const name = error instanceof Error ? error.name : typeof error
    return outcome('error', 'probe_internal', `The check failed for a reason of its own (${name}).`)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

const cancelled = () => outcome('error', 'probe_internal', 'The check was cancelled.')

function outcome(status: Outcome['status'], kind: ErrorKind, message: string): Outcome {
  return { status, response_time_ms: null, error_kind: kind, error_message: message, timings: {}, details: {} }
}
