import type { DueCheck } from '@watchpost/contract'
import { DueHeap } from './due-heap.ts'

/** One run that is to start now. */
export interface Run {
  runId: string
  check: DueCheck
  /** Server time, epoch milliseconds, at which it should have started. */
  slotAt: number
}

interface Entry {
  check: DueCheck
  /** Epoch milliseconds, server time, as all times here. */
  dueAt: number
  leaseUntil: number
  /** The run the server named, until it has started. */
  leasedRunId: string | undefined
  /** The newest run of this monitor here: only its verdict says when the monitor is due next. */
  lastRunId: string | undefined
  lastStartAt: number
}

/** Milliseconds by which the estimate of the server's clock may be off before a lease counts as run out. */
const leaseMarginMs = 250
/** Least milliseconds between two starts of one monitor, whatever the server answers. */
const leastGapMs = 250

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
  put(check: DueCheck, now: number): void {
    const entry = this.#entries.get(check.monitor_id)
    const dueAt = timeOr(check.due_at, now)
    const leaseUntil = timeOr(check.lease_until, now)
    if (entry === undefined) {
      const added = {
        check,
        dueAt,
        leaseUntil,
        leasedRunId: check.run_id,
        lastRunId: undefined,
        lastStartAt: -Infinity,
      }
      this.#entries.set(check.monitor_id, added)
      this.#heap.push(dueAt, added)
      return
    }
    entry.check = check
    entry.leaseUntil = leaseUntil
    // Handed out again before our result of this very run arrived: the result is on its way, running twice helps nobody.
    if (check.run_id === entry.lastRunId) return
    entry.leasedRunId = check.run_id
    this.#moveTo(entry, dueAt)
  }

  /** The runs to start now, each monitor once; whatever is returned counts as running until {@link finished}. */
  takeDue(now: number): Run[] {
    const runs: Run[] = []
    for (let node = this.#heap.peek(); node !== undefined && node.at <= now; node = this.#heap.peek()) {
      this.#heap.pop()
      const entry = node.item
      if (!this.#isCurrent(entry, node.at)) continue
      if (this.#running.has(entry.check.monitor_id)) this.#postpone(entry, now)
      else if (this.#reachable && entry.leaseUntil <= now) this.#held.add(entry)
      else runs.push(this.#start(entry, now))
    }
    return runs
  }

  /** The run is over, whatever it found. What fell due meanwhile by the server's word is due now. */
  finished(monitorId: number): void {
    this.#running.delete(monitorId)
    const entry = this.#entries.get(monitorId)
    if (entry?.leasedRunId !== undefined && !this.#held.has(entry)) this.#heap.push(entry.dueAt, entry)
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
    for (const entry of this.#held) this.#heap.push(entry.dueAt, entry)
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

  #start(entry: Entry, now: number): Run {
    const run = { runId: entry.leasedRunId ?? this.#newRunId(entry.check.monitor_id, entry.dueAt), check: entry.check }
    const skipped = slotsBetween(entry.dueAt, now, intervalMs(entry.check))
    // What was late when it was handed out is not this probe's delay.
    if (entry.leasedRunId === undefined) this.missed += skipped
    const slotAt = entry.dueAt
    entry.leasedRunId = undefined
    entry.lastRunId = run.runId
    entry.lastStartAt = now
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
    this.#held.delete(entry)
    this.#heap.push(dueAt, entry)
  }

  /** Entries are not taken out of the heap when they move or go: a node that no longer fits is passed over. */
  #isCurrent(entry: Entry, at: number): boolean {
    return entry.dueAt === at && this.#entries.get(entry.check.monitor_id) === entry && !this.#held.has(entry)
  }
}

function intervalMs(check: DueCheck): number {
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
