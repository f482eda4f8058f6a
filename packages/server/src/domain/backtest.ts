import type { MonitorState, Policy } from './transition.ts'
import { transition } from './transition.ts'

/** One stored attempt, and why it failed where it did. */
export interface Attempt {
  checked_at: number
  status: 'online' | 'offline' | 'error'
  response_time_ms: number | null
  region: string
  error_kind: string | null
  error_message: string | null
}

/** The settings that a replay can heed. */
export interface Trial {
  policy: Policy
  max_response_time_ms: number | undefined
  /** Regions that vote; undefined where all attempts are one row, whoever made them. */
  regions: readonly string[] | undefined
  quorum: 'any' | 'majority' | 'all' | number
}

export interface ReplayedOutage {
  opened_at: number
  resolved_at: number | null
  checks: number
  error: string | null
}

/** What the attempt would have been with another threshold. */
function judged(attempt: Attempt, limit: number | undefined): Attempt {
  const ms = attempt.response_time_ms
  if (attempt.status === 'online' && limit !== undefined && ms !== null && ms > limit) {
    const error_message = `answered in ${Math.round(ms)} ms, ${limit} ms is the most`
    return { ...attempt, status: 'offline', error_kind: 'too_slow', error_message }
  }
  if (attempt.error_kind === 'too_slow' && (limit === undefined || (ms !== null && ms <= limit))) {
    return { ...attempt, status: 'online', error_kind: null, error_message: null }
  }
  return attempt
}

/** How many regions must see it offline. */
export function votesNeeded(quorum: Trial['quorum'], regions: number): number {
  if (quorum === 'any') return 1
  if (quorum === 'all') return Math.max(1, regions)
  return quorum === 'majority' ? Math.floor(regions / 2) + 1 : Math.max(1, quorum)
}

/** Replays attempts, in their order, by the same rules that judge results. */
export function replay(attempts: readonly Attempt[], trial: Trial): ReplayedOutage[] {
  const { regions } = trial
  const needed = regions === undefined ? 1 : votesNeeded(trial.quorum, regions.length)
  const states = new Map<string, MonitorState>()
  const outages: ReplayedOutage[] = []
  let open: ReplayedOutage | undefined
  for (const attempt of attempts) {
    if (regions !== undefined && !regions.includes(attempt.region)) continue
    const region = regions === undefined ? '' : attempt.region
    const seen = judged(attempt, trial.max_response_time_ms)
    states.set(region, transition(states.get(region) ?? unknown, seen, trial.policy).state)
    const against = [...states.values()].filter(({ status }) => status === 'offline').length
    if (open === undefined && against >= needed) {
      open = { opened_at: seen.checked_at, resolved_at: null, checks: 0, error: seen.error_message }
      outages.push(open)
    }
    if (open === undefined) continue
    if (seen.status === 'offline') open.checks++
    if (against >= needed) continue
    open.resolved_at = seen.checked_at
    open = undefined
  }
  return outages
}

const unknown: MonitorState = {
  status: 'pending',
  failures: 0,
  last_check_at: null,
  response_time_ms: null,
  due_at: null,
}
