import { ApiError, type BatchVerdict, type CheckResult } from '@watchpost/contract'
import { type Backoff, backoffMs, isNewStep } from './backoff.ts'
import type { Logger } from './logger.ts'
import type { Spool, Spooled } from './spool.ts'

/** Sends results; answers per result, in order. Throws what the client throws. */
export type Send = (results: CheckResult[], signal: AbortSignal) => Promise<BatchVerdict[]>

export interface ReporterOptions {
  send: Send
  spool: Spool
  /** The server's answer to one result. */
  onVerdict: (result: CheckResult, verdict: BatchVerdict) => void
  /** The token is not accepted: nothing can be sent any more. What is spooled stays. */
  onUnauthorized: (error: ApiError) => void
  /** Whether the server is known to answer as it should: only then is its refusal believed, and not some proxy's. */
  isSound: () => boolean
  log: Logger
  pace?: Partial<ReportPace>
}

/** How fast results are sent. Milliseconds, except for counts. */
export interface ReportPace {
  /** At least this long between two requests, so that results gather; the first after a pause goes at once. */
  gatherMs: number
  /** The same where a result is urgent: it may change what people see. */
  urgentMs: number
  /** Results gather this long before they are written to disk together. */
  spoolMs: number
  /** Results in one request at most, and their bytes. */
  batch: number
  batchBytes: number
  /** Results held in memory as fresh; older ones wait on disk as the backlog. */
  fresh: number
  /** Results of the backlog in one request at most: what is fresh waits for its answer. */
  backlogBatch: number
  /** Results of the backlog sent in a second, so that catching up does not drown what is new. */
  backlogPerSecond: number
  backoff: Backoff
  /** How long the last results may take when the probe is stopped. */
  flushMs: number
}

const defaultPace: ReportPace = {
  gatherMs: 500,
  urgentMs: 20,
  spoolMs: 20,
  batch: 1000,
  batchBytes: 512_000,
  fresh: 4000,
  backlogBatch: 250,
  backlogPerSecond: 1000,
  backoff: { firstMs: 1000, longestMs: 30_000 },
  flushMs: 5000,
}

/**
 * Brings results to the server: first into the spool, then out in batches, fresh ones before the backlog. What is not
 * acknowledged stays spooled and is tried again.
 */
export class Reporter {
  /** Results the server refused; sending those again cannot help. */
  refused = 0
  sent = 0
  readonly #options: ReporterOptions
  readonly #pace: ReportPace
  readonly #stopping = new AbortController()
  /** Cuts off a request that takes too long once the probe is to stop. */
  readonly #cutOff = new AbortController()
  /** Results that gather for the disk, and those in their file that gather for the server. */
  #incoming: CheckResult[] = []
  #fresh: Spooled[] = []
  #spooling: { done: Promise<void>; timer: NodeJS.Timeout | undefined } | undefined
  readonly #writes = new Set<Promise<void>>()
  #batch: number
  #failures = 0
  /** Monotonic milliseconds before which nothing, or no backlog, is sent. */
  #notBefore = 0
  #backlogNotBefore = 0
  /** Before this results gather. */
  #gatherUntil = 0
  #sentAt = 0
  /** The same, as the server asked with Retry-After. */
  #askedToWaitUntil = 0
  #beginWriting: () => void = () => undefined
  #wake: () => void = () => undefined
  #loop: Promise<void> | undefined

  constructor(options: ReporterOptions) {
    this.#options = options
    this.#pace = { ...defaultPace, ...options.pace }
    this.#batch = this.#pace.batch
  }

  /** Whether the latest attempt failed. */
  get failing(): boolean {
    return this.#failures > 0
  }

  start(): void {
    this.#loop = this.#run()
  }

  /**
   * Takes a result; answers once it is in its file. Never throws.
   * @param urgent it may change what people see: it is not kept to gather with others
   */
  submit(result: CheckResult, urgent = false): Promise<void> {
    this.#incoming.push(result)
    this.#spooling ??= this.#gather()
    if (urgent) {
      this.#gatherUntil = Math.min(this.#gatherUntil, this.#sentAt + this.#pace.urgentMs)
      this.#hurry()
    }
    return this.#spooling.done
  }

  #gather(): { done: Promise<void>; timer: NodeJS.Timeout } {
    const { promise: ready, resolve: begin } = Promise.withResolvers<void>()
    const done = ready.then(() => this.#write())
    this.#writes.add(done)
    void done.then(() => this.#writes.delete(done))
    this.#beginWriting = begin
    return { done, timer: setTimeout(begin, this.#pace.spoolMs) }
  }

  /** What gathers is written now. */
  #hurry(): void {
    clearTimeout(this.#spooling?.timer)
    this.#beginWriting()
  }

  async #write(): Promise<void> {
    this.#spooling = undefined
    for (const spooled of await this.#options.spool.appendAll(this.#incoming.splice(0))) this.#fresh.push(spooled)
    while (this.#fresh.length > this.#pace.fresh) this.#options.spool.release(this.#fresh.splice(0, this.#batch))
    this.#wake()
  }

  /** The server answers again: no need to wait any longer. A wait that the server asked for is kept. */
  serverIsBack(): void {
    if (!this.failing) return
    this.#notBefore = Math.max(this.#askedToWaitUntil, Math.min(this.#notBefore, performance.now()))
    this.#wake()
  }

  /** Sends what is fresh, if the server takes it; the rest stays spooled for the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#hurry()
    await Promise.all(this.#writes)
    this.#wake()
    const timer = setTimeout(() => this.#cutOff.abort(), this.#pace.flushMs)
    await this.#loop
    while (this.#fresh.length > 0 && !this.failing && !this.#cutOff.signal.aborted) await this.#send(this.#takeFresh())
    clearTimeout(timer)
    this.#options.spool.release(this.#fresh.splice(0))
  }

  async #run(): Promise<void> {
    while (await this.#untilWork()) {
      this.#sentAt = performance.now()
      this.#gatherUntil = this.#sentAt + this.#pace.gatherMs
      if (this.#fresh.length > 0) await this.#send(this.#takeFresh())
      const began = performance.now()
      if (this.failing || !this.#options.spool.hasBacklog || began < this.#backlogNotBefore) continue
      const backlog = await this.#options.spool.nextBacklog(Math.min(this.#batch, this.#pace.backlogBatch))
      if (backlog.length === 0) continue
      await this.#send(backlog)
      // A server that takes long is given as long to rest: it has others to serve.
      const rest = Math.max((backlog.length / this.#pace.backlogPerSecond) * 1000, 2 * (performance.now() - began))
      this.#backlogNotBefore = began + rest
    }
  }

  /** Waits until something is to be sent and may be; false once the reporter is to stop. */
  async #untilWork(): Promise<boolean> {
    while (!this.#stopping.signal.aborted) {
      const full = this.#fresh.length >= this.#batch
      const gathered = this.#fresh.length > 0 ? (full ? 0 : this.#gatherUntil) : this.#backlogDue()
      const due = Math.max(this.#notBefore, gathered)
      const delay = due - performance.now()
      if (delay <= 0) return true
      await this.#sleep(delay)
    }
    return false
  }

  #backlogDue(): number {
    return this.#options.spool.hasBacklog ? this.#backlogNotBefore : Number.POSITIVE_INFINITY
  }

  #sleep(ms: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, Math.min(ms, 60_000))
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #takeFresh(): Spooled[] {
    let bytes = 0
    let count = 0
    for (const { bytes: size } of this.#fresh) {
      if (count > 0 && (count >= this.#batch || bytes + size > this.#pace.batchBytes)) break
      bytes += size
      count++
    }
    return this.#fresh.splice(0, count)
  }

  async #send(batch: Spooled[]): Promise<void> {
    const results = batch.map(({ result }) => result)
    let verdicts: BatchVerdict[]
    try {
      verdicts = await this.#options.send(results, this.#cutOff.signal)
      if (!Array.isArray(verdicts) || verdicts.length !== batch.length)
        throw new Error('The server did not answer for every result')
    } catch (error) {
      return this.#failed(batch, error as Error)
    }
    if (this.failing) this.#options.log.info({ spooled: this.#options.spool.size }, 'the server takes results again')
    this.#failures = 0
    this.#batch = Math.min(this.#pace.batch, this.#batch * 2)
    this.sent += batch.length
    await this.#options.spool.acknowledge(batch)
    for (const [index, verdict] of verdicts.entries()) this.#heed(results[index] as CheckResult, verdict)
  }

  #heed(result: CheckResult, verdict: BatchVerdict): void {
    if (!verdict.ok) {
      this.refused++
      this.#options.log.warn(
        { monitor_id: result.monitor_id, run_id: result.run_id },
        `result refused: ${verdict.error}`,
      )
    }
    this.#options.onVerdict(result, verdict)
  }

  async #failed(batch: Spooled[], error: Error): Promise<void> {
    const { spool, log, onUnauthorized } = this.#options
    if (error instanceof ApiError && error.status === 401) {
      spool.release(batch)
      this.#failures++
      this.#stopping.abort()
      return onUnauthorized(error)
    }
    if (error instanceof ApiError && [400, 413, 422].includes(error.status) && this.#options.isSound()) {
      if (batch.length === 1) return this.#giveUp(batch, error)
      // One of them is at fault: halve until it is alone.
      this.#batch = Math.max(1, batch.length >> 1)
      this.#fresh.unshift(...batch)
      return
    }
    // What memory has room for stays there in its order: after a short outage everything arrives as it happened.
    if (this.#fresh.length + batch.length <= this.#pace.fresh) this.#fresh.unshift(...batch)
    else spool.release(batch)
    this.#failures++
    const asked = retryAfterMs(error)
    const wait = Math.max(backoffMs(this.#failures, this.#pace.backoff), asked)
    this.#notBefore = performance.now() + wait
    this.#askedToWaitUntil = performance.now() + asked
    if (!isNewStep(this.#failures, this.#pace.backoff)) return
    log.warn({ spooled: spool.size, retry_in_ms: Math.round(wait) }, `results are kept on disk: ${error.message}`)
  }

  async #giveUp(batch: Spooled[], error: ApiError): Promise<void> {
    await this.#options.spool.acknowledge(batch)
    for (const { result } of batch) this.#heed(result, { ok: false, error: error.message })
  }
}

function retryAfterMs(error: Error): number {
  return error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0
}
