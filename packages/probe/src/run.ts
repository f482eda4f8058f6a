import { randomInt } from 'node:crypto'
import { type Check, concurrencyOf, type RunOptions } from '@watchpost/checks'
import { type CheckResult, nonces, type Outcome, runId } from '@watchpost/contract'
import { traceparentOf } from '@watchpost/contract/trace-id'
import { type LaneState, laneNames, laneOf, mayBegin } from './lanes.ts'
import type { Network } from './network.ts'
import type { HeldCheck, Run } from './schedule.ts'
import type { StallWatch } from './stall.ts'

/** Looks at a target once under one total deadline and never throws: `runCheck` of the checks package. */
export type CheckRunner = (check: Check, options?: RunOptions) => Promise<Outcome>

export interface RunnerOptions {
  runCheck: CheckRunner
  /** Checks running at once. */
  concurrency: number
  /** Pings have a lane of their own: they wait for each other and delay nothing else. */
  pingConcurrency?: () => number
  /** Server time, epoch milliseconds. */
  now: () => number
  stalls?: StallWatch
  network?: Network
  /** Called once for every run started or queued, even for one given up at the end. */
  onDone: (run: Run, result: CheckResult | undefined) => void
}

/** A check type has a deadline of its own; one that does not keep it is given up after this many more milliseconds. */
const overdueMs = 5000
/** The wire allows 1,000 characters. */
const messageLength = 1000
/** Details above this many bytes are left out, so that one result cannot fill a request. */
const detailBytes = 16_384

/** How often it is looked whether a check has overstayed; a timer for each would cost more than it is worth. */
const sweepMs = 1000

interface Lane extends LaneState {
  queue: Run[]
}

/** A check that has begun. */
interface Job {
  run: Run
  lane: Lane
  /** Server time, epoch milliseconds. */
  startedAt: number
  /** Monotonic milliseconds. */
  began: number
  overdueAt: number
}

/** Runs checks, so many at once; the others wait in the order in which they fell due, each type for its own kind. */
export class Runner {
  readonly #options: RunnerOptions
  readonly #lanes: Lane[]
  readonly #jobs = new Set<Job>()
  readonly #abort = new AbortController()
  /** What every check is told: the same for all, but for where it may connect to. */
  readonly #inside: RunOptions
  readonly #outside: RunOptions
  #sweeper: NodeJS.Timeout | undefined
  #idle: (() => void)[] = []

  constructor(options: RunnerOptions) {
    this.#options = options
    const { concurrency, pingConcurrency = () => concurrencyOf('ping', concurrency) } = options
    this.#lanes = laneNames.map(name => ({
      name,
      running: 0,
      get limit() {
        return name === 'ping' ? pingConcurrency() : concurrency
      },
      used: false,
      queue: [],
    }))
    this.#inside = { signal: this.#abort.signal, policy: { private: 'allow' } }
    this.#outside = { signal: this.#abort.signal, policy: { private: 'deny' } }
  }

  get running(): number {
    return this.#jobs.size
  }

  get queued(): number {
    return this.#lanes.reduce((sum, { queue }) => sum + queue.length, 0)
  }

  start(run: Run): void {
    const lane = this.#lanes[laneNames.indexOf(laneOf(run.check.type))] as Lane
    lane.used = true
    if (lane.queue.length === 0 && mayBegin(lane, this.#lanes, this.#options.concurrency)) this.#begin(run, lane)
    else lane.queue.push(run)
  }

  /** Gives up what has not begun, and waits until what has is done; each check ends by its own timeout. */
  async finish(): Promise<void> {
    for (const { queue } of this.#lanes) for (const run of queue.splice(0)) this.#options.onDone(run, undefined)
    if (this.running > 0) await new Promise<void>(resolve => this.#idle.push(resolve))
  }

  /** Gives up everything at once: nobody wants the results any more. */
  async abandon(): Promise<void> {
    this.#abort.abort()
    for (const job of [...this.#jobs]) this.#end(job, undefined)
    await this.finish()
  }

  #begin(run: Run, lane: Lane): void {
    const began = performance.now()
    const job = {
      run,
      lane,
      startedAt: this.#options.now(),
      began,
      overdueAt: began + run.check.timeout * 1000 + overdueMs,
    }
    this.#jobs.add(job)
    lane.running++
    this.#sweeper ??= setInterval(() => this.#sweep(), sweepMs).unref()
    const { check, runId } = run
    const { runCheck, network } = this.#options
    const end = (outcome: Outcome) => this.#end(job, outcome)
    const failed = (error: Error) => end(failure(`The check failed inside the probe: ${error.message}`))
    const judge = (outcome: Outcome) => {
      const judged = network === undefined ? outcome : network.judge(check.monitor_id, outcome)
      // Most are judged at once: those are not made to wait another turn.
      if (judged instanceof Promise) judged.then(end, failed)
      else end(judged)
    }
    try {
      runCheck(checkOf(check, runId), check.allow_private === false ? this.#outside : this.#inside).then(judge, failed)
    } catch (error) {
      failed(error as Error)
    }
  }

  /** A check that comes back after it was given up is not listened to. */
  #end(job: Job, outcome: Outcome | undefined): void {
    if (!this.#jobs.delete(job)) return
    job.lane.running--
    this.#options.onDone(job.run, outcome === undefined ? undefined : this.#resultOf(job, outcome))
    this.#fill()
    if (this.running > 0) return
    clearInterval(this.#sweeper)
    this.#sweeper = undefined
    for (const done of this.#idle.splice(0)) done()
  }

  #resultOf({ run, startedAt, began }: Job, outcome: Outcome): CheckResult | undefined {
    if (this.#abort.signal.aborted) return undefined
    const judged = this.#options.stalls?.judge(outcome, began, run.check.timeout * 1000) ?? outcome
    return resultOf(run, startedAt, judged)
  }

  #fill(): void {
    for (const lane of this.#lanes) {
      while (lane.queue.length > 0 && mayBegin(lane, this.#lanes, this.#options.concurrency)) {
        this.#begin(lane.queue.shift() as Run, lane)
      }
    }
  }

  /** Holds check types to their word, and gives up what did not keep it. */
  #sweep(): void {
    const now = performance.now()
    for (const job of [...this.#jobs]) {
      if (job.overdueAt <= now) this.#end(job, failure('The check did not end by its deadline'))
    }
  }
}

/**
 * Ids for runs that the server did not name, in the form that it keeps in a few bytes. The time a run is due tells those of
 * one process apart; where two processes run one monitor at one time, a number that each counts from somewhere else.
 */
export function runIds(): (monitorId: number, dueAt: number) => string {
  let nonce = randomInt(nonces)
  return (monitor_id, dueAt) => {
    nonce = (nonce + 1) % nonces
    return runId({ monitor_id, due_at: Math.round(dueAt), nonce })
  }
}

/** What a check type is told: what is held of a monitor is that, and more. */
export function checkOf(held: HeldCheck, runId: string): Check {
  // Its hash costs little, but only these send it.
  const isWeb = held.type === 'http' || held.type === 'https'
  return (isWeb ? { ...held, traceparent: traceparentOf(runId) } : held) as Check
}

function resultOf(run: Run, startedAt: number, outcome: Outcome): CheckResult {
  const { status, response_time_ms, error_kind, error_message, timings, details } = outcome
  return {
    monitor_id: run.check.monitor_id,
    run_id: run.runId,
    status,
    response_time_ms,
    checked_at: new Date(startedAt).toISOString(),
    error_kind,
    error_message: error_message?.slice(0, messageLength) ?? null,
    timings,
    details: isSmall(details) ? details : { truncated: true },
  }
}

/** Most details are a few short words, of which this is sure without writing them out. */
function isSmall(details: Record<string, unknown> | undefined): boolean {
  let length = 0
  for (const key in details) {
    const value = details[key]
    if (typeof value === 'object' && value !== null) return Buffer.byteLength(JSON.stringify(details)) <= detailBytes
    length += key.length + (typeof value === 'string' ? value.length : 30)
  }
  // A character is six bytes at most.
  return length * 6 <= detailBytes || Buffer.byteLength(JSON.stringify(details)) <= detailBytes
}

function failure(error_message: string): Outcome {
  return {
    status: 'error',
    response_time_ms: null,
    error_kind: 'probe_internal',
    error_message,
    timings: {},
    details: {},
  }
}
