import type { MonitorStatus, Quorum } from '@watchpost/contract'
import { silentAfterMs } from '@watchpost/contract'
import { isDown, type Vote } from './quorum.ts'
import { nextSlot } from './slot.ts'
import type { MonitorState, Policy, Seen, Transition } from './transition.ts'

/** What one region says of a monitor. Changed in place, as all that is remembered of a monitor. */
export interface RegionVote {
  region: string
  /** Since when the region is asked, epoch ms, as all times. */
  since: number
  status: 'pending' | 'online' | 'offline'
  /** Failures in a row, here. */
  failures: number
  last_check_at: number | null
  response_time_ms: number | null
  /** Who looked last. */
  probe_id: number | null
  due_at: number | null
  /** Not told to the store yet. */
  moved: boolean
}

/** A monitor's regions, in the order it names them. */
export interface RegionVotes {
  quorum: Quorum
  regions: readonly RegionVote[]
  /** Which region each probe that was given the monitor is in, if it is one of them. */
  ofProbe: Map<number, RegionVote>
}

/** A vote counts while somebody has looked lately, or has not had the time to. */
function voteOf(vote: RegionVote, policy: Policy, at: number): Vote {
  const { since, last_check_at, status, failures } = vote
  if (Math.max(since, last_check_at ?? 0) + silentAfterMs(policy.interval_s, policy.timeout_s) < at) return 'silent'
  if (status === 'offline') return 'down'
  return status === 'online' && failures === 0 ? 'up' : 'unsure'
}

/** What the regions say at a moment, in their order. */
export function votesAt({ regions }: Pick<RegionVotes, 'regions'>, policy: Policy, at: number): Vote[] {
  return regions.map(vote => voteOf(vote, policy, at))
}

/** When a region is asked next: each has a part of the interval of its own, so that they do not look all at once. */
export function nextRegionSlot(policy: Policy, votes: RegionVotes, vote: RegionVote, after: number): number {
  const { regions } = votes
  const part = Math.round((policy.interval_s * 1000 * regions.indexOf(vote)) / regions.length)
  return nextSlot(policy.monitor_id, policy.interval_s, after, part)
}

/**
 * What a result does to a monitor that is watched from several regions (rulings 9 and 12): each has failures in a row of
 * its own, and is down after `confirmations` of them; the monitor is down while a quorum says so, and up again once
 * none does and one region sees it up. A probe of no region, a late result, and a probe's own trouble are no vote.
 */
export function castVote(before: MonitorState, votes: RegionVotes, seen: Seen, policy: Policy): Transition {
  const vote = votes.ofProbe.get(seen.probe_id ?? 0)
  if (vote === undefined || before.status === 'paused') return { state: before, change: null }
  if (seen.checked_at < Math.max(vote.last_check_at ?? 0, policy.counts_from)) return { state: before, change: null }
  const regular = nextRegionSlot(policy, votes, vote, seen.checked_at)
  vote.moved = true
  if (seen.status === 'error') {
    vote.due_at = regular
    return { state: { ...before }, change: null }
  }
  count(vote, seen, policy)
  const confirming = vote.failures > 0 && vote.status !== 'offline'
  vote.due_at = confirming ? Math.min(regular, seen.checked_at + policy.retry_interval_s * 1000) : regular
  const status = verdict(before.status, votes, policy, seen.checked_at)
  const newest = seen.checked_at >= (before.last_check_at ?? 0)
  return {
    state: {
      status,
      failures: Math.max(...votes.regions.map(each => each.failures)),
      last_check_at: newest ? seen.checked_at : before.last_check_at,
      response_time_ms: newest ? seen.response_time_ms : before.response_time_ms,
      due_at: null,
    },
    change: status === before.status ? null : { old_status: before.status, new_status: status },
  }
}

function count(vote: RegionVote, seen: Seen, policy: Policy): void {
  const { status, checked_at, response_time_ms, probe_id } = seen
  vote.failures = status === 'online' ? 0 : vote.failures + 1
  if (vote.failures === 0) vote.status = 'online'
  else if (vote.failures >= policy.confirmations) vote.status = 'offline'
  vote.last_check_at = checked_at
  vote.response_time_ms = response_time_ms
  vote.probe_id = probe_id ?? null
}

function verdict(before: MonitorStatus, votes: RegionVotes, policy: Policy, at: number): MonitorStatus {
  const said = votesAt(votes, policy, at)
  if (isDown(votes.quorum, said)) return 'offline'
  return said.includes('up') ? 'online' : before
}
