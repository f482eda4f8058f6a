import type { MonitorStatus, OutcomeStatus } from '@watchpost/contract'
import { nextSlot } from './slot.ts'

/** What is known of a monitor before a result. Times in epoch ms. */
export interface MonitorState {
  status: MonitorStatus
  /** Failures in a row. */
  failures: number
  last_check_at: number | null
  response_time_ms: number | null
  due_at: number | null
}

/** How sure one must be, and how often to look. */
export interface Policy {
  monitor_id: number
  interval_s: number
  timeout_s: number
  confirmations: number
  retry_interval_s: number
  /** Results of checks that started before this are history only: they saw an older target. */
  counts_from: number
  /** Nobody is sent to look: it is heard from, and never due. */
  heard?: boolean
}

export interface Seen {
  status: OutcomeStatus
  response_time_ms: number | null
  checked_at: number
  /** Who looked: which region's vote it is. */
  probe_id?: number
}

export interface Transition {
  state: MonitorState
  /** The verdict that this result brought, if it brought one. */
  change: { old_status: MonitorStatus; new_status: MonitorStatus } | null
}

/**
 * What a result does to a monitor (specification 3, ruling 9): offline after `confirmations` failures in a row, online
 * on the first success. Late results, and the probe's own trouble, never move the state: unknown is not down.
 */
export function transition(before: MonitorState, seen: Seen, policy: Policy): Transition {
  const late = seen.checked_at < Math.max(before.last_check_at ?? 0, policy.counts_from)
  if (before.status === 'paused' || late) return { state: before, change: null }

  const regular = policy.heard ? null : nextSlot(policy.monitor_id, policy.interval_s, seen.checked_at)
  if (seen.status === 'error') return { state: { ...before, due_at: regular }, change: null }

  const failures = seen.status === 'online' ? 0 : before.failures + 1
  const status = verdict(before.status, failures, policy.confirmations)
  const confirming = failures > 0 && status !== 'offline' && regular !== null
  return {
    state: {
      status,
      failures,
      last_check_at: seen.checked_at,
      response_time_ms: seen.response_time_ms,
      due_at: confirming ? Math.min(regular, seen.checked_at + policy.retry_interval_s * 1000) : regular,
    },
    change: status === before.status ? null : { old_status: before.status, new_status: status },
  }
}

function verdict(before: MonitorStatus, failures: number, confirmations: number): MonitorStatus {
  if (failures === 0) return 'online'
  return failures >= confirmations ? 'offline' : before
}
