import { CheckBlock, checksPerBlock, type KeptCheck } from './check-block.ts'
import { castVote, type RegionVotes } from './region-votes.ts'
import { bucketOf, type CountedCheck, countCheck, type OpenRollup, openRollup } from './rollup.ts'
import { type MonitorState, type Policy, type Transition, transition } from './transition.ts'

const dayMs = 86_400_000

/** A block that is full, or whose day is over: to be filed in the table of its day. */
export interface FullBlock {
  /** Any moment of its day: its first check's. */
  first_at: number
  data: Uint8Array
}

/** What is known of a monitor between two results. Results change it in place: whoever could not keep them reads anew. */
export interface MonitorMemory {
  /** Counts what happened to the monitor. */
  seq: number
  state: MonitorState
  /** What its regions say; null where any probe will do. */
  votes: RegionVotes | null
  /** Who saw the failure that another probe is to confirm; the lease is given up with it. */
  avoidProbe: number | null
  /** What receivers were told last, where maintenance kept a later status from them. */
  announcedStatus: MonitorState['status'] | null
  /** The newest due time among its runs. */
  newestDueAt: number
  /** A run due after this is among the open checks or nowhere. */
  filedDueAt: number
  /** Checks that have not filled a block yet. */
  block: CheckBlock
  /** Five minutes that the newest check fell into. */
  bucket: OpenRollup | null
  /** Of the five minutes before this something may be written, also where none are open. */
  closedTo: number
  /** Not in the tables yet: */
  fullBlocks: FullBlock[]
  /** Rollups that nothing has been written of before. */
  closed: OpenRollup[]
  /** Rollups that late checks add to. */
  late: OpenRollup[]
  /** Whether a result has moved the state since it was written. */
  moved: boolean
}

/** @param planned whether the check fell into planned maintenance */
export function foldCheck(
  memory: MonitorMemory,
  check: KeptCheck,
  policy: Policy,
  planned = false,
): Transition['change'] {
  const { checked_at, status, probe_id } = check
  const response_time_ms = check.response_us === null ? null : check.response_us / 1000
  const { votes } = memory
  const { state, change } =
    votes === null
      ? transition(memory.state, { status, response_time_ms, checked_at }, policy)
      : castVote(memory.state, votes, { status, response_time_ms, checked_at, probe_id }, policy)
  memory.seq++
  memory.moved ||= state !== memory.state
  memory.state = state
  count(memory, bucketOf(checked_at, '5m'), { status, response_time_ms, planned })
  remember(memory, check)
  return change
}

function count(memory: MonitorMemory, number: number, check: CountedCheck): void {
  countCheck(rollupFor(memory, number), check)
}

/** What a check of these five minutes is counted in: the open ones, new ones, or what late checks add. */
function rollupFor(memory: MonitorMemory, number: number): OpenRollup {
  const { bucket } = memory
  if (number === bucket?.bucket) return bucket
  const opened = openRollup(number)
  if (number >= (bucket?.bucket ?? memory.closedTo)) {
    if (bucket !== null) memory.closed.push(bucket)
    memory.bucket = opened
    return opened
  }
  // Closed since the last flush: what is written of it then is this, and nothing is there yet to add to.
  const closed = memory.closed.find(each => each.bucket === number)
  if (closed !== undefined) return closed
  const late = memory.late.find(each => each.bucket === number)
  if (late !== undefined) return late
  memory.late.push(opened)
  return opened
}

const dayOf = (at: number): number => Math.floor(at / dayMs)

function remember(memory: MonitorMemory, check: KeptCheck): void {
  const due = memory.newestDueAt
  memory.newestDueAt = Math.max(due, check.due_at)
  const open = memory.block
  const day = dayOf(check.checked_at)
  if (open.count > 0 && day < dayOf(open.firstAt)) {
    const own = new CheckBlock()
    own.append(check)
    memory.fullBlocks.push({ first_at: check.checked_at, data: own.bytes() })
    memory.filedDueAt = Math.max(memory.filedDueAt, check.due_at)
    return
  }
  if (open.count >= checksPerBlock || (open.count > 0 && day > dayOf(open.firstAt))) {
    memory.fullBlocks.push({ first_at: open.firstAt, data: open.bytes() })
    memory.filedDueAt = due
    memory.block = new CheckBlock()
  }
  memory.block.append(check)
}
