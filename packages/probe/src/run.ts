import { randomInt } from 'node:crypto'
import { type Check, concurrencyOf, type RunOptions } from '@watchpost/checks'
import { type CheckResult, type CheckTypeName, type DueCheck, nonces, type Outcome, runId } from '@watchpost/contract'
import { traceparentOf } from '@watchpost/contract/trace-id'
import type { Run } from './schedule.ts'
import type { StallWatch } from './stall.ts'

/** Looks at a target once under one total deadline and never throws: `runCheck` of the checks package. */
export type CheckRunner = (check: Check, options?: RunOptions) => Promise<Outcome>

export interface RunnerOptions {
  runCheck: CheckRunner
  /** Checks running at once, pings apart. */
  concurrency: number
  /** Pings have a lane of their own: they wait for each other and delay nothing else. */
  pingConcurrency?: () => number
  /** Server time, epoch milliseconds. */
  now: () => number
  stalls?: StallWatch
  /** Called once for every run started or queued, even for one given up at the end. */
  onDone: (run: Run, result: CheckResult | undefined) => void
}

/** A check type has a deadline of its own; one that does not keep it is given up after this many more milliseconds. */
const overdueMs = 5000
/** The wire allows 1,000 characters. */
const messageLength = 1000
/** Details above this many bytes are left out, so that one result cannot fill a request. */
const detailBytes = 16_384

interface Lane {
  readonly limit: () => number
  running: number
  queue: Run[]
}

/** Runs checks, so many at once; the others wait in the order in which they fell due. */
export class Runner {
  readonly #options: RunnerOptions
  readonly #general: Lane
  readonly #ping: Lane
  readonly #abort = new AbortController()
  #idle: (() => void)[] = []

  constructor(options: RunnerOptions) {
    this.#options = options
    this.#general = { limit: () => options.concurrency, running: 0, queue: [] }
    this.#ping = {
      limit: options.pingConcurrency ?? (() => concurrencyOf('ping', options.concurrency)),
      running: 0,
      queue: [],
    }
  }

  get running(): number {
    return this.#general.running + this.#ping.running
  }

  get queued(): number {
    return this.#general.queue.length + this.#ping.queue.length
  }

  start(run: Run): void {
    const lane = run.check.type === 'ping' ? this.#ping : this.#general
    lane.queue.push(run)
    this.#fill(lane)
  }

  /** Gives up what has not begun, and waits until what has is done; each check ends by its own timeout. */
  async finish(): Promise<void> {
    for (const lane of [this.#general, this.#ping]) {
      for (const run of lane.queue.splice(0)) this.#options.onDone(run, undefined)
    }
    if (this.running > 0) await new Promise<void>(resolve => this.#idle.push(resolve))
  }

  /** Gives up everything at once: nobody wants the results any more. */
  async abandon(): Promise<void> {
    this.#abort.abort()
    await this.finish()
  }

  #fill(lane: Lane): void {
    const limit = lane.limit()
    while (lane.running < limit) {
      const run = lane.queue.shift()
      if (run === undefined) return
      lane.running++
      void this.#look(run).then(result => {
        lane.running--
        this.#options.onDone(run, result)
        this.#fill(lane)
        if (this.running === 0) for (const done of this.#idle.splice(0)) done()
      })
    }
  }

  async #look(run: Run): Promise<CheckResult | undefined> {
    const { now, stalls, runCheck } = this.#options
    const startedAt = now()
    const began = performance.now()
    const check = checkOf(run.check, run.runId)
    let outcome = await inTime(runCheck, check, optionsOf(run.check, this.#abort.signal))
    if (this.#abort.signal.aborted) return undefined
    if (stalls !== undefined) outcome = stalls.judge(outcome, began, check.timeout * 1000)
    return resultOf(run, startedAt, outcome)
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

/** What a check type is told, without the lease. */
export function checkOf(due: DueCheck, runId: string): Check {
  const { type, target, method, timeout, ssl_verify, options = {} } = due
  const check: Check = { type: type as CheckTypeName, target, method, timeout, ssl_verify, options }
  // Its hash costs little, but only these send it.
  return type === 'http' || type === 'https' ? { ...check, traceparent: traceparentOf(runId) } : check
}

/** What the check may connect to: a target that a stranger chose must not lead into this probe's network. */
function optionsOf(due: DueCheck, signal: AbortSignal): Required<RunOptions> {
  return { signal, policy: { private: due.allow_private === false ? 'deny' : 'allow' } }
}

function resultOf(run: Run, startedAt: number, outcome: Outcome): CheckResult {
  const { status, response_time_ms, error_kind, error_message, timings, details } = outcome
  const small = Buffer.byteLength(JSON.stringify(details ?? {})) <= detailBytes
  return {
    monitor_id: run.check.monitor_id,
    run_id: run.runId,
    status,
    response_time_ms,
    checked_at: new Date(startedAt).toISOString(),
    error_kind,
    error_message: error_message?.slice(0, messageLength) ?? null,
    timings,
    details: small ? details : { truncated: true },
  }
}

/** Holds a check type to its word: an answer in time, and no exception. */
async function inTime(runCheck: CheckRunner, check: Check, options: Required<RunOptions>): Promise<Outcome> {
  const { signal } = options
  const overdue = Promise.withResolvers<Outcome>()
  const giveUp = (message: string) => overdue.resolve(failure(message))
  const onAbort = () => giveUp('The probe was stopped')
  const timer = setTimeout(() => giveUp('The check did not end by its deadline'), check.timeout * 1000 + overdueMs)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([runCheck(check, options), overdue.promise])
  } catch (error) {
    return failure(`The check failed inside the probe: ${(error as Error).message}`)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
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
