import type { Quorum } from '@watchpost/contract'
import { firstNot } from './bisect.ts'
import { castVote, type RegionVote, type RegionVotes } from './region-votes.ts'
import { type MonitorState, type Policy, type Seen, transition } from './transition.ts'

/** One stored attempt, and why it failed where it did. */
export interface Attempt {
  checked_at: number
  status: 'online' | 'offline' | 'error'
  response_time_ms: number | null
  probe_id: number
  region: string
  error_kind: string | null
  error_message: string | null
}

/** The settings that a replay can heed. */
export interface Trial {
  policy: Policy
  max_response_time_ms: number | undefined
  /** Who votes, and how many must agree; null where all attempts are one row, whoever made them. */
  regions: { regions: readonly string[]; quorum: Quorum } | null
  /** Whether a failure is told at a moment: not in maintenance, nor where the monitor opens no incidents. */
  tells(at: number): boolean
}

export interface ReplayedOutage {
  opened_at: number
  resolved_at: number | null
  checks: number
  error: string | null
}

/** Failures of attempts, which are in their order, between two moments, both among them. */
export function failuresWithin(attempts: readonly Attempt[], from: number, to: number): Attempt[] {
  const first = firstNot(attempts, each => each.checked_at < from)
  const end = firstNot(attempts, each => each.checked_at <= to)
  return attempts.slice(first, end).filter(each => each.status === 'offline')
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

/** Replays attempts, in their order, by the same rules that judge results. */
export function replay(attempts: readonly Attempt[], trial: Trial): ReplayedOutage[] {
  const votes = votesOf(attempts, trial)
  let state: MonitorState = unknown
  const outages: ReplayedOutage[] = []
  let open: ReplayedOutage | undefined
  for (const attempt of attempts) {
    if (votes !== null && !votes.ofProbe.has(attempt.probe_id)) continue
    const judgement = judged(attempt, trial.max_response_time_ms)
    const { status, response_time_ms, checked_at, probe_id } = judgement
    const seen: Seen = { status, response_time_ms, checked_at, probe_id }
    state = (votes === null ? transition(state, seen, trial.policy) : castVote(state, votes, seen, trial.policy)).state
    // What began in maintenance is told with the first check after it.
    if (open === undefined && state.status === 'offline' && trial.tells(checked_at)) {
      open = { opened_at: checked_at, resolved_at: null, checks: 0, error: judgement.error_message }
      outages.push(open)
    }
    if (open === undefined) continue
    if (status === 'offline') open.checks++
    if (state.status !== 'online') continue
    open.resolved_at = checked_at
    open = undefined
  }
  return outages
}

/** The regions before anybody has looked; a probe votes for the one it is in. */
function votesOf(attempts: readonly Attempt[], { regions: asked }: Trial): RegionVotes | null {
  if (asked === null) return null
  const since = attempts[0]?.checked_at ?? 0
  const regions = asked.regions.map((region): RegionVote => ({ ...nobodyYet, region, since }))
  const ofProbe = new Map<number, RegionVote>()
  for (const { probe_id, region } of attempts) {
    const vote = regions.find(each => each.region === region)
    if (vote !== undefined) ofProbe.set(probe_id, vote)
  }
  return { quorum: asked.quorum, regions, ofProbe }
}

const nobodyYet = {
  status: 'pending' as const,
  failures: 0,
  last_check_at: null,
  response_time_ms: null,
  probe_id: null,
  due_at: null,
  moved: false,
}

const unknown: MonitorState = {
  status: 'pending',
  failures: 0,
  last_check_at: null,
  response_time_ms: null,
  due_at: null,
}
