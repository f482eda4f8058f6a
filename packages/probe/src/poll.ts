import { ApiError, type DueCheck, type DueChecks } from '@watchpost/contract'
import { type Backoff, backoffMs, isNewStep } from './backoff.ts'
import type { ServerClock } from './clock.ts'
import type { Logger } from './logger.ts'
import type { Schedule } from './schedule.ts'

export interface PollerOptions {
  /** One page of what is due; throws what the client throws. */
  getChecks: (query: { limit: number; horizon: number; release?: boolean }, signal: AbortSignal) => Promise<DueChecks>
  schedule: Schedule
  clock: ServerClock
  log: Logger
  /** After every poll, good or bad: what is due may have changed. */
  onPolled: (ok: boolean) => void
  /** The token is not accepted: polling has ended. */
  onUnauthorized: (error: ApiError) => void
  /** Seconds ahead to fetch and hold. */
  horizonSeconds?: number
  pageSize?: number
  backoff?: Backoff
}

/** More pages than this in one poll is a server repeating itself. */
const mostPages = 200
/** Between two polls, however often something asks for one. */
const leastPauseMs = 100
const longestPauseMs = 300_000
/** Who holds a share is heard from this often, or it passes to others. */
const longestPauseHoldingMs = 5000

/** Fetches what is due, again and again, and tells the schedule. */
export class Poller {
  /** Monotonic milliseconds of the latest poll that was answered in full. */
  lastSuccessAt: number | undefined
  /** Why the latest poll failed; undefined when it did not. */
  trouble: string | undefined
  readonly #options: Required<PollerOptions>
  readonly #stopping = new AbortController()
  #failures = 0
  // Until the first answer this process holds nothing: what a past life was leased is asked back.
  #heard = false
  #awake: (() => void) | undefined
  #nudged = false
  #loop: Promise<void> | undefined

  constructor(options: PollerOptions) {
    this.#options = { horizonSeconds: 60, pageSize: 1000, backoff: { firstMs: 1000, longestMs: 30_000 }, ...options }
  }

  start(): void {
    this.#loop = this.#run()
  }

  /** Polls soon instead of when the pause is over; while the server is away it stays with the backoff. */
  nudge(): void {
    if (this.#failures > 0) return
    this.#nudged = true
    this.#awake?.()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#awake?.()
    await this.#loop
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      this.#nudged = false
      const pause = await this.#poll()
      if (pause === undefined || signal.aborted) return
      await this.#sleep(Math.min(leastPauseMs, pause))
      if (!this.#nudged) await this.#sleep(pause - leastPauseMs)
    }
  }

  #sleep(ms: number): Promise<void> {
    if (ms <= 0 || this.#stopping.signal.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const timer = setTimeout(resolve, ms)
      this.#awake = () => {
        // A nudge does not shorten the least pause; stopping shortens any.
        if (ms <= leastPauseMs && !this.#stopping.signal.aborted) return
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** @returns milliseconds to pause, or undefined when polling has ended */
  async #poll(): Promise<number | undefined> {
    const { schedule, onPolled, onUnauthorized, log, backoff } = this.#options
    try {
      const pause = await this.#fetchAll()
      if (this.#failures > 0) log.info({ failures: this.#failures }, 'the server answers again')
      this.#failures = 0
      this.trouble = undefined
      this.lastSuccessAt = performance.now()
      onPolled(true)
      return pause
    } catch (error) {
      if (this.#stopping.signal.aborted) return undefined
      this.trouble = (error as Error).message
      schedule.pollFailed()
      if (error instanceof ApiError && error.status === 401) {
        onUnauthorized(error)
        return undefined
      }
      this.#failures++
      const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0
      const pause = Math.max(backoffMs(this.#failures, backoff), asked)
      if (isNewStep(this.#failures, backoff)) {
        const fields = { held: schedule.size, retry_in_ms: Math.round(pause) }
        log.warn(fields, `no checks from the server, carrying on with those held: ${this.trouble}`)
      }
      onPolled(false)
      return pause
    }
  }

  /** All pages of one poll, then the verdict on what was not among them. */
  async #fetchAll(): Promise<number> {
    const { clock, schedule, pageSize, horizonSeconds, log } = this.#options
    const returned = new Set<number>()
    const beganAt = clock.monotonic()
    let pauseSeconds = 0
    for (let page = 0; page < mostPages; page++) {
      const answer = await this.#fetchPage()
      // Before what it was given anew, which is its own again.
      for (const id of answer.meta.lost ?? []) if (!returned.has(id)) schedule.drop(id)
      for (const check of answer.data) {
        schedule.put(check, clock.now())
        returned.add(check.monitor_id)
      }
      pauseSeconds = answer.meta.poll_after_seconds
      if (answer.data.length < pageSize) break
    }
    // Read by the clock as it is known now, which is better than it was known then.
    const startedAt = clock.now() - (clock.monotonic() - beganAt)
    const dropped = schedule.polled(startedAt, horizonSeconds * 1000, returned)
    if (returned.size + dropped.length > 0) {
      log.debug({ fetched: returned.size, given_up: dropped.length, held: schedule.size }, 'polled')
    }
    // Jitter, so that probes started together do not ask together.
    const longest = schedule.size > 0 ? longestPauseHoldingMs : longestPauseMs
    return Math.min(longest, Math.max(leastPauseMs, pauseSeconds * 1000 * (0.9 + 0.2 * Math.random())))
  }

  async #fetchPage(): Promise<DueChecks> {
    const { getChecks, clock, pageSize, horizonSeconds } = this.#options
    const sentAt = clock.monotonic()
    const query = { limit: pageSize, horizon: horizonSeconds, ...(this.#heard ? {} : { release: true }) }
    const answer = await getChecks(query, this.#stopping.signal)
    if (!Array.isArray(answer?.data) || typeof answer.meta?.poll_after_seconds !== 'number') {
      throw new Error('The server did not answer as the probe API does; is --server right?')
    }
    this.#heard = true
    answer.data = answer.data.filter((check: Partial<DueCheck>) => Number.isInteger(check?.monitor_id))
    clock.sync(Date.parse(answer.meta.server_time), sentAt, clock.monotonic())
    return answer
  }
}
