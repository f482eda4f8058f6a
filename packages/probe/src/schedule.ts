import type { DueCheck, MonitorStatus } from '@watchpost/contract'
import { DueHeap } from './due-heap.ts'

/** What is to be looked at, without the lease: kept for as long as the monitor is held. */
export type HeldCheck = Omit<DueCheck, 'run_id' | 'due_at' | 'lease_until'>

/** One run that is to start now. */
export interface Run {
  runId: string
  check: HeldCheck
  /** Server time, epoch milliseconds, at which it should have started. */
  slotAt: number
}

interface Entry {
  check: HeldCheck
  /** Epoch milliseconds, server time, as all times here. */
  dueAt: number
  /** Where its one valid place in the heap is; undefined while it has none. */
  queuedAt: number | undefined
  /** Late, and already given a moment of its own to start at. */
  spread: boolean
  leaseUntil: number
  /** The run the server named, until it has started. */
  leasedRunId: string | undefined
  /** The newest run of this monitor here: only its verdict says when the monitor is due next. */
  lastRunId: string | undefined
  lastStartAt: number
  /** The monitor's status as the server last said it. */
  told: MonitorStatus | undefined
}

/** Milliseconds by which the estimate of the server's clock may be off before a lease counts as run out. */
const leaseMarginMs = 250
/** Least milliseconds between two starts of one monitor, whatever the server answers. */
const leastGapMs = 250
/** After a stall so many start at once; the others that are later than `lateMs` are spread over as long as it lasted. */
const mostAtOnce = 50
const lateMs = 250
const longestSpreadMs = 10_000

/**
 * When each monitor is looked at next: pure decisions, no timer and no clock of its own. Times are epoch milliseconds in
 * server time.
 *
 * A monitor that was handed out is run when due and then every interval. It is held until the server says it is paused
 * or gone, or until its lease has run out and a poll that should have returned it did not: then another probe has it.
 * While the server is away nothing can be handed to another probe, so everything held goes on being checked.
 */
export class Schedule {
  /** Slots skipped because the run before had not finished, or the probe was behind. */
  missed = 0
  /** Goes up when what is held, or how it is to be looked at, has changed. */
  version = 0
  readonly #entries = new Map<number, Entry>()
  readonly #running = new Set<number>()
  readonly #heap = new DueHeap<Entry>()
  /** Due, but the lease has run out: they wait for the next poll to say whose they are. */
  readonly #held = new Set<Entry>()
  readonly #newRunId: (monitorId: number, dueAt: number) => string
  #reachable = false

  /** @param newRunId makes an id for a run that the server did not name; unique over restarts */
  constructor(newRunId: (monitorId: number, dueAt: number) => string) {
    this.#newRunId = newRunId
  }

  get size(): number {
    return this.#entries.size
  }

  get running(): number {
    return this.#running.size
  }

  has(monitorId: number): boolean {
    return this.#entries.has(monitorId)
  }

  /** Adds what a poll returned, or replaces it: settings, due time and lease are the server's. */
  put({ run_id, due_at, lease_until, ...check }: DueCheck, now: number): void {
    const dueAt = timeOr(due_at, now)
    const leaseUntil = timeOr(lease_until, now)
    check.options ??= {}
    const entry = this.#entries.get(check.monitor_id)
    if (entry === undefined) {
      this.#add(check, dueAt, leaseUntil, run_id)
      return
    }
    if (!sameCheck(entry.check, check)) {
      entry.check = check
      this.version++
    }
    entry.leaseUntil = leaseUntil
    // Handed out again before our result of this very run arrived: the result is on its way, running twice helps nobody.
    if (run_id === entry.lastRunId) return
    entry.leasedRunId = run_id
    this.#moveTo(entry, dueAt)
  }

  /** Takes up what an earlier process held, in its phase: for when the server cannot be asked. */
  restore(held: Iterable<{ check: HeldCheck; dueAt: number }>, now: number): void {
    for (const { check, dueAt } of held) {
      if (this.#entries.has(check.monitor_id)) continue
      const interval = intervalMs(check)
      this.#add(check, dueAt + Math.max(0, Math.ceil((now - dueAt) / interval)) * interval, 0, undefined)
    }
  }

  /** What is held, and when each is due. */
  *held(): Generator<{ check: HeldCheck; dueAt: number }> {
    for (const { check, dueAt } of this.#entries.values()) yield { check, dueAt }
  }

  /** The runs to start now, each monitor once; whatever is returned counts as running until {@link finished}. */
  takeDue(now: number): Run[] {
    const runs: Run[] = []
    const behind = now - (this.#heap.peek()?.at ?? now)
    for (let node = this.#heap.peek(); node !== undefined && node.at <= now; node = this.#heap.peek()) {
      this.#heap.pop()
      const entry = node.item
      if (!this.#isCurrent(entry, node.at)) continue
      entry.queuedAt = undefined
      if (this.#running.has(entry.check.monitor_id)) this.#postpone(entry, now)
      else if (this.#reachable && entry.leaseUntil <= now) this.#held.add(entry)
      else if (runs.length >= mostAtOnce && now - node.at > lateMs && !entry.spread) this.#spread(entry, now, behind)
      else runs.push(this.#start(entry, now))
    }
    return runs
  }

  /** The run is over, whatever it found. What fell due meanwhile by the server's word is due now. */
  finished(monitorId: number): void {
    this.#running.delete(monitorId)
    const entry = this.#entries.get(monitorId)
    if (entry?.leasedRunId !== undefined && !this.#held.has(entry)) this.#queue(entry, entry.dueAt)
  }

  /** The server's word on when the monitor is due next replaces our own guess; null: it is paused. */
  verdict(monitorId: number, runId: string, nextDueAt: number | null): void {
    const entry = this.#entries.get(monitorId)
    if (entry === undefined) return
    if (nextDueAt === null) {
      this.drop(monitorId)
      return
    }
    // An answer to an older run, or one from before the monitor was handed out anew, says nothing about the next.
    if (entry.lastRunId !== runId || entry.leasedRunId !== undefined) return
    this.#moveTo(entry, Math.max(nextDueAt, entry.lastStartAt + leastGapMs))
  }

  /** What the server says of the monitor now. */
  told(monitorId: number, status: MonitorStatus): void {
    const entry = this.#entries.get(monitorId)
    if (entry !== undefined) entry.told = status
  }

  /** Whether this may change what the server says of the monitor: then it should hear of it at once. */
  isNews(monitorId: number, down: boolean): boolean {
    const told = this.#entries.get(monitorId)?.told
    return told === undefined || down !== (told === 'offline')
  }

  /** The server refused a result: the monitor is gone, or not ours any more. */
  refused(monitorId: number, runId: string): void {
    const entry = this.#entries.get(monitorId)
    if (entry?.lastRunId === runId && entry.leasedRunId === undefined) this.drop(monitorId)
  }

  drop(monitorId: number): void {
    const entry = this.#entries.get(monitorId)
    if (entry === undefined) return
    this.#entries.delete(monitorId)
    this.#held.delete(entry)
    this.version++
  }

  /**
   * A poll was answered in full: what it would have returned, had nobody else leased it, is not ours any more.
   * @param startedAt when the poll was sent
   * @returns ids dropped
   */
  polled(startedAt: number, horizonMs: number, returned: ReadonlySet<number>): number[] {
    this.#reachable = true
    const dropped: number[] = []
    for (const [id, entry] of this.#entries) {
      if (returned.has(id)) continue
      const leaseIsOver = entry.leaseUntil <= startedAt - leaseMarginMs
      // Not due within the horizon: the server had no reason to return it, so its absence says nothing.
      const wasAskedFor = entry.dueAt <= startedAt + horizonMs - leaseMarginMs
      if (leaseIsOver && wasAskedFor) dropped.push(id)
    }
    for (const id of dropped) this.drop(id)
    return dropped
  }

  /** The server could not be asked: what waited for its answer is checked all the same. */
  pollFailed(): void {
    this.#reachable = false
    for (const entry of this.#held) this.#queue(entry, entry.dueAt)
    this.#held.clear()
  }

  /** Whether something due waits for a poll. */
  needsPoll(): boolean {
    return this.#held.size > 0
  }

  /** When {@link takeDue} has something to do next; undefined when nothing is scheduled. */
  nextAt(): number | undefined {
    for (let node = this.#heap.peek(); node !== undefined; node = this.#heap.peek()) {
      if (this.#isCurrent(node.item, node.at)) return node.at
      this.#heap.pop()
    }
    return undefined
  }

  #add(check: HeldCheck, dueAt: number, leaseUntil: number, leasedRunId: string | undefined): void {
    const entry: Entry = {
      check,
      dueAt,
      queuedAt: undefined,
      spread: false,
      leaseUntil,
      leasedRunId,
      lastRunId: undefined,
      lastStartAt: -Infinity,
      told: undefined,
    }
    this.#entries.set(check.monitor_id, entry)
    this.version++
    this.#queue(entry, dueAt)
  }

  /** Late together with many others: a moment of its own, the same after every stall, and none beyond half an interval. */
  #spread(entry: Entry, now: number, behind: number): void {
    entry.spread = true
    const over = Math.min(behind, longestSpreadMs, intervalMs(entry.check) / 2)
    this.#queue(entry, now + over * fraction(entry.check.monitor_id))
  }

  #start(entry: Entry, now: number): Run {
    const run = { runId: entry.leasedRunId ?? this.#newRunId(entry.check.monitor_id, entry.dueAt), check: entry.check }
    const skipped = slotsBetween(entry.dueAt, now, intervalMs(entry.check))
    // What was late when it was handed out is not this probe's delay.
    if (entry.leasedRunId === undefined) this.missed += skipped
    const slotAt = entry.dueAt
    entry.leasedRunId = undefined
    entry.lastRunId = run.runId
    entry.lastStartAt = now
    entry.spread = false
    this.#running.add(entry.check.monitor_id)
    this.#moveTo(entry, slotAt + (skipped + 1) * intervalMs(entry.check))
    return { ...run, slotAt }
  }

  /** Due while still running: a slot of our own is skipped; a run the server named follows once this one is over. */
  #postpone(entry: Entry, now: number): void {
    if (entry.leasedRunId !== undefined) return
    const skipped = slotsBetween(entry.dueAt, now, intervalMs(entry.check)) + 1
    this.missed += skipped
    this.#moveTo(entry, entry.dueAt + skipped * intervalMs(entry.check))
  }

  #moveTo(entry: Entry, dueAt: number): void {
    entry.dueAt = dueAt
    entry.spread = false
    this.#held.delete(entry)
    this.#queue(entry, dueAt)
  }

  /** Nodes are not taken out of the heap when an entry moves or goes: one that is not its latest is passed over. */
  #queue(entry: Entry, at: number): void {
    if (entry.queuedAt === at) return
    entry.queuedAt = at
    this.#heap.push(at, entry)
  }

  #isCurrent(entry: Entry, at: number): boolean {
    return entry.queuedAt === at && this.#entries.get(entry.check.monitor_id) === entry && !this.#held.has(entry)
  }
}

/** Between 0 and 1, far apart for ids that follow each other. */
function fraction(id: number): number {
  return (id * 0.618033988749895) % 1
}

function sameCheck(a: HeldCheck, b: HeldCheck): boolean {
  const keys = Object.keys(b) as (keyof HeldCheck)[]
  return keys.length === Object.keys(a).length && keys.every(key => sameValue(a[key], b[key]))
}

function sameValue(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}

function intervalMs(check: HeldCheck): number {
  return Math.max(0.1, check.interval || 0) * 1000
}

/** Whole intervals between a slot and now: the slots that came and went. */
function slotsBetween(slotAt: number, now: number, interval: number): number {
  return Math.max(0, Math.floor((now - slotAt) / interval))
}

function timeOr(iso: string, otherwise: number): number {
  const time = Date.parse(iso)
  return Number.isNaN(time) ? otherwise : time
}
