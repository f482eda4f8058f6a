import { randomInt } from 'node:crypto'
import { type CheckResult, nonces, type OutcomeStatus, readRunId } from '@watchpost/contract'
import type { RunKind } from '../domain/check-block.ts'
import { refuse } from '../http/validate.ts'

/** A result as it will be kept. */
export interface ReadResult {
  monitor_id: number
  checked_at: number
  status: OutcomeStatus
  response_us: number | null
  run: RunKind
  due_at: number
  nonce: number
  /** What its run id is to be found by, where its bytes in the history do not tell: text. */
  run_text: string | null
  sent: CheckResult
}

/** As long as checks are kept one by one: what comes later has no history to be in, and could be a repeat unseen. */
export const oldestResultMs = 7 * 86_400_000

/** A run is looked for this long before and after it was due; one that ran at another time is found by its text. */
export const runReachMs = 65 * 60_000

const words = { up: 'online', down: 'offline', online: 'online', offline: 'offline', error: 'error' } as const

/**
 * @throws {ApiError} validation_failed for a check that ran too long ago
 * The probe's clock may be ahead of ours: a check cannot have started after its result arrived.
 */
export function readResult(sent: CheckResult, now: number): ReadResult {
  const checked_at = sent.checked_at === undefined ? now : Math.min(Date.parse(sent.checked_at), now)
  if (checked_at < now - oldestResultMs) refuse({ checked_at: 'is more than 7 days ago' })
  const ms = sent.response_time_ms ?? null
  return {
    monitor_id: sent.monitor_id,
    checked_at,
    status: words[sent.status],
    response_us: ms === null ? null : Math.round(ms * 1000),
    ...readRun(sent, checked_at),
    sent,
  }
}

function readRun(sent: CheckResult, checked_at: number): Pick<ReadResult, 'run' | 'due_at' | 'nonce' | 'run_text'> {
  if (sent.run_id === undefined) return { run: 'given', due_at: checked_at, nonce: newNonce(), run_text: null }
  const name = readRunId(sent.run_id)
  // A due time far ahead would make every later run look like one of the past.
  if (name === undefined || name.monitor_id !== sent.monitor_id || name.due_at > checked_at + runReachMs) {
    return { run: 'foreign', due_at: checked_at, nonce: newNonce(), run_text: sent.run_id }
  }
  const found = name.due_at >= checked_at - runReachMs
  return { run: 'named', due_at: name.due_at, nonce: name.nonce, run_text: found ? null : sent.run_id }
}

let nonce = randomInt(nonces)

/** The next: no two of one process within one millisecond are alike. */
export function newNonce(): number {
  nonce = (nonce + 1) % nonces
  return nonce
}
