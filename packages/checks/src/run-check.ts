import type { ErrorKind, Outcome } from '@watchpost/contract'
import { type Check, type CheckType, TargetError } from './check-type.ts'
import { Alarm, waitingFor } from './deadline.ts'
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

/** Runs a check of this type under one deadline, `check.timeout` seconds. Never throws. */
export function runWithin(type: CheckType, check: Check, options: RunOptions = {}): Promise<Outcome> {
  const { signal, policy = anyAddress } = options
  if (signal?.aborted) return Promise.resolve(cancelled())
  const others = signal && waitingFor(signal)
  const deadline = new Alarm()
  return new Promise(resolve => {
    const settle = (found: Outcome) => {
      clearTimeout(timer)
      others?.delete(giveUp)
      resolve(signal?.aborted ? cancelled() : found)
    }
    const giveUp = () => {
      clearTimeout(timer)
      // Should a type overlook the deadline, this ends the wait all the same.
      const late = outcome('offline', 'timeout', `The check did not end within ${check.timeout} s.`)
      timer = setTimeout(settle, graceMilliseconds, late)
      deadline.abort()
    }
    let timer = setTimeout(giveUp, check.timeout * 1000)
    others?.add(giveUp)
    type.run(check, deadline, policy).then(settle, error => settle(ownFailure(error)))
  })
}

/** What a check that throws says: the target cannot be looked at, or we have made a mistake. */
function ownFailure(error: unknown): Outcome {
  if (error instanceof TargetError) return outcome('error', 'probe_internal', `The target ${error.message}.`)
  const name = error instanceof Error ? error.name : typeof error
  return outcome('error', 'probe_internal', `The check failed for a reason of its own (${name}).`)
}

const cancelled = () => outcome('error', 'probe_internal', 'The check was cancelled.')

function outcome(status: Outcome['status'], kind: ErrorKind, message: string): Outcome {
  return { status, response_time_ms: null, error_kind: kind, error_message: message, timings: {}, details: {} }
}
