import { ApiError, type MonitorStatusChanged, type Verdict } from '@watchpost/contract'
import { iso, isoOrNull } from '../api/time.ts'
import { type Announcement, announce } from '../domain/announcement.ts'
import type { KeptCheck } from '../domain/check-block.ts'
import { foldCheck } from '../domain/fold-check.ts'
import { keepsPhases, keptPhases } from '../domain/phases.ts'
import { type RegionVotes, votesAt } from '../domain/region-votes.ts'
import type { JournalEntry } from '../domain/result-journal.ts'
import type { Transition } from '../domain/transition.ts'
import type { ProbeCaller } from '../http/handler.ts'
import { needsEvidence } from './evidence.ts'
import type { KeptMonitor } from './kept-monitor.ts'
import type { LiveProbes } from './live-probes.ts'
import type { ReadResult } from './read-result.ts'
import { seenBefore } from './seen-before.ts'

/** One result that waits to be taken, and where its answer goes. */
export interface Pending {
  caller: Reporter
  result: ReadResult
  /** What the tables said of its run, if they were asked. */
  repeated?: boolean
  /** Times it was judged and could not be kept. */
  attempts: number
  answer(verdict: Verdict | ApiError | Error): void
}

/** The verdict that a result brought, or what receivers are told of one that was kept from them in maintenance. */
export interface Change {
  result: ReadResult
  /** What they are told of it, if anything. */
  told: Announcement['change']
  /** What was decided by it, if anything; it may be told later. */
  decided: Transition['change']
  /** JSON: what its regions said then. */
  votes: string | null
}

/** Who reports. */
export type Reporter = Pick<ProbeCaller, 'team_id' | 'probe_id'>

/** Who else could look. */
export type Others = Pick<LiveProbes, 'hasAnother' | 'pollsAhead'>
export const nobodyElse: Others = { hasAnother: () => false, pollsAhead: () => false }

/** Whether a maintenance window covers a monitor at a moment. */
export type Planned = (kept: KeptMonitor, at: number) => boolean

/** What results of one monitor come to: what is to be kept in one commit, and the answers once it is. */
export interface Piece {
  kept: KeptMonitor
  entries: JournalEntry[]
  evidence: ReadResult[]
  change: Change | undefined
  answers: [Pending, Verdict][]
  /** Not judged yet: they come after the change, or the tables must be asked first. */
  rest: Pending[]
}

/** Judges results of one monitor in their order, up to the first that changes its status. Changes what is kept of it. */
export function judge(
  kept: KeptMonitor,
  pending: readonly Pending[],
  planned: Planned,
  others: Others,
  now: number,
): Piece {
  const piece: Piece = { kept, entries: [], evidence: [], change: undefined, answers: [], rest: [] }
  const { memory } = kept
  const texts = new Set<string>()
  for (const [index, each] of pending.entries()) {
    const { result, caller } = each
    let repeated = each.repeated === true || (result.run_text !== null && texts.has(result.run_text))
    if (!repeated) {
      const seen = seenBefore(memory, result)
      // Asked before, and not found; what came since is known.
      if (seen === 'ask' && each.repeated === undefined) {
        piece.rest = pending.slice(index)
        break
      }
      repeated = seen === true
    }
    if (!repeated) take(piece, result, caller, planned, others, now)
    if (result.run_text !== null) texts.add(result.run_text)
    const next_due_at = isoOrNull(nextDueAt(kept, caller, others))
    piece.answers.push([each, { monitor_id: kept.id, status: memory.state.status, next_due_at }])
    if (piece.change !== undefined) {
      piece.rest = pending.slice(index + 1)
      break
    }
  }
  return piece
}

/** When this probe is to look again; null where that is for others. */
function nextDueAt({ memory }: KeptMonitor, { probe_id }: Reporter, others: Others): number | null {
  if (memory.avoidProbe === probe_id && others.pollsAhead(probe_id)) return null
  return memory.votes === null ? memory.state.due_at : (memory.votes.ofProbe.get(probe_id)?.due_at ?? null)
}

/** Whether this result is a failure that wants to be confirmed, and another probe is there to do so. */
function isForAnother({ memory, team_id }: KeptMonitor, { probe_id }: Reporter, others: Others): boolean {
  const vote = memory.votes?.ofProbe.get(probe_id)
  if (memory.votes !== null && vote === undefined) return false
  const { status, failures } = vote ?? memory.state
  return failures > 0 && status !== 'offline' && others.hasAnother(team_id, vote?.region ?? null, probe_id)
}

function take(piece: Piece, result: ReadResult, caller: Reporter, planned: Planned, others: Others, now: number): void {
  const { kept } = piece
  const { memory, policy, id } = kept
  const { checked_at, status, response_us, run, due_at, nonce } = result
  // Told before it is judged: failures and runs of any text have evidence, changes to online besides.
  const changes = status === 'online' && memory.state.status !== 'online'
  const evidence = needsEvidence(result, changes)
  const check: KeptCheck = { checked_at, status, response_us, probe_id: caller.probe_id, run, due_at, nonce, evidence }
  const timings = keepsPhases(check, policy.interval_s) ? keptPhases(result.sent.timings) : undefined
  if (timings !== undefined) check.timings = timings
  const quiet = planned(kept, checked_at)
  const before = { status: memory.state.status, announced_status: memory.announcedStatus, state: memory.state }
  const change = foldCheck(memory, check, policy, quiet)
  piece.entries.push({ monitor_id: id, seq: memory.seq, planned: quiet, check })
  if (evidence) piece.evidence.push(result)
  // Only what was seen of the target is ever told, and nothing by history.
  if (memory.state === before.state || status === 'error') return
  const told = announce(before, memory.state.status, quiet || planned(kept, now))
  memory.announcedStatus = told.announced_status
  memory.avoidProbe = status === 'offline' && isForAnother(kept, caller, others) ? caller.probe_id : null
  // Kept as rows, so that the journal, judged again, decides nothing that others were told.
  const asRows =
    memory.avoidProbe !== null ||
    change !== null ||
    told.change !== null ||
    told.announced_status !== before.announced_status
  if (!asRows) return
  const votes = change === null || memory.votes === null ? null : votesText(kept, memory.votes, checked_at)
  piece.change = { result, told: told.change, decided: change, votes }
}

/** What the regions said at a moment, as it is kept with the verdict. */
function votesText({ policy }: KeptMonitor, votes: RegionVotes, at: number): string {
  const said = votesAt(votes, policy, at)
  return JSON.stringify(
    votes.regions.map(({ region, failures, last_check_at, probe_id }, index) => ({
      region,
      vote: said[index],
      failures,
      last_check_at,
      probe_id,
    })),
  )
}

/** The event of a change. */
export function statusChanged(
  kept: KeptMonitor,
  result: ReadResult,
  change: NonNullable<Change['told']>,
  now: number,
): MonitorStatusChanged {
  return {
    event: 'monitor.status_changed',
    timestamp: iso(now),
    data: {
      monitor_id: kept.id,
      monitor_name: kept.name,
      ...change,
      response_time: result.response_us === null ? null : result.response_us / 1000,
      error_message: change.new_status === 'offline' ? (result.sent.error_message ?? null) : null,
    },
  }
}

export const notFound = (id: number) => new ApiError('not_found', `There is no monitor ${id}`)
export const notGiven = (id: number) => new ApiError('forbidden', `Monitor ${id} was not given to this probe`)
