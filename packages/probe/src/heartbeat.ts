import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Heard, type Heartbeat } from '@watchpost/contract'
import { type Backoff, backoffMs } from './backoff.ts'
import type { Logger } from './logger.ts'

export interface HeartbeatOptions {
  send: (body: Heartbeat, signal: AbortSignal) => Promise<Heard>
  /** How the machine is. */
  host: () => Promise<NonNullable<Heartbeat['host']>>
  /** What the probe is doing. */
  work: () => NonNullable<Heartbeat['work']>
  log: Logger
  backoff?: Backoff
}

/** A server that knows no heartbeats may be replaced by one that does. */
const strangerPauseMs = 3_600_000
const longestPauseMs = 3_600_000
const sampleMs = 100

/** Tells the server, as often as it asks, that this probe lives and how its machine is. */
export class HeartbeatSender {
  readonly #options: HeartbeatOptions
  readonly #stopping = new AbortController()
  readonly #delay = monitorEventLoopDelay({ resolution: sampleMs })
  readonly #startedAt = new Date().toISOString()
  #loop: Promise<void> | undefined

  constructor(options: HeartbeatOptions) {
    this.#options = options
  }

  start(): void {
    this.#delay.enable()
    this.#loop = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#delay.disable()
    await this.#loop
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    for (let failures = 0; !signal.aborted; ) {
      let pause: number
      try {
        pause = Math.min(longestPauseMs, Math.max(1000, (await this.#beat()).next_heartbeat_seconds * 1000))
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        failures++
        pause = this.#afterFailure(error, failures)
      }
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  async #beat(): Promise<Heard> {
    const { send, host, work } = this.#options
    const lag_ms = Math.max(0, Math.round(this.#delay.max / 1e6) - sampleMs)
    this.#delay.reset()
    const body = { started_at: this.#startedAt, host: await host(), work: { ...work(), lag_ms } }
    const heard = await send(body, this.#stopping.signal)
    if (typeof heard?.next_heartbeat_seconds !== 'number')
      throw new Error('The server did not say when to send the next')
    return heard
  }

  /** @returns milliseconds until the next attempt; that the server is away is said by whoever fetches checks */
  #afterFailure(error: unknown, failures: number): number {
    const { log, backoff = { firstMs: 1000, longestMs: 30_000 } } = this.#options
    const refusal = error instanceof ApiError ? error : undefined
    log.debug(`no heartbeat: ${(error as Error).message}`)
    if (refusal?.status === 404 || refusal?.status === 405) return strangerPauseMs
    return Math.max(backoffMs(failures, backoff), (refusal?.retryAfter ?? 0) * 1000)
  }
}
