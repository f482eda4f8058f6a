import type { ErrorKind, Outcome } from '@watchpost/contract'

/** Failures that a probe standing still looks just like. */
const timeKinds: ReadonlySet<ErrorKind | null> = new Set<ErrorKind>([
  'packet_loss',
  'timeout',
  'connect_timeout',
  'first_byte_timeout',
  'dns_timeout',
  'too_slow',
])
/** Share of a check's timeout that the probe may have stood still before its word on slowness counts for nothing. */
const shareAllowed = 0.2
const sampleMs = 100
/** Stalls shorter than this are the ordinary business of a busy process. */
const leastStallMs = 250

/**
 * Notices when this process stood still: a suspended host, a starved container, a blocked event loop. A target that
 * "timed out" meanwhile was not looked at, which is the probe's own trouble and not the target's.
 */
export class StallWatch {
  #timer: NodeJS.Timeout | undefined
  #lastTick = performance.now()
  #stalls: { endedAt: number; lengthMs: number }[] = []

  start(): void {
    this.#lastTick = performance.now()
    this.#timer = setInterval(() => this.tick(performance.now()), sampleMs)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** @param now monotonic milliseconds */
  tick(now: number): void {
    const lengthMs = now - this.#lastTick - sampleMs
    this.#lastTick = now
    if (lengthMs < leastStallMs) return
    this.#stalls.push({ endedAt: now, lengthMs })
    if (this.#stalls.length > 100) this.#stalls.shift()
  }

  /**
   * The outcome, or the probe's own error in its place when the process stood still for much of the check.
   * @param began monotonic milliseconds
   */
  judge(outcome: Outcome, began: number, timeoutMs: number, now: number = performance.now()): Outcome {
    if (outcome.status !== 'offline' || !timeKinds.has(outcome.error_kind)) return outcome
    // The stall may be the very reason why the timer of `start` has not yet fired.
    const unseen = Math.max(0, now - this.#lastTick - sampleMs)
    const stalled = this.#stalls
      .filter(stall => stall.endedAt > began)
      .reduce(
        (sum, { endedAt, lengthMs }) => sum + Math.min(lengthMs, endedAt - began),
        unseen < leastStallMs ? 0 : unseen,
      )
    if (stalled < timeoutMs * shareAllowed) return outcome
    return {
      ...outcome,
      status: 'error',
      error_kind: 'probe_resources',
      error_message: `The probe itself stood still for ${Math.round(stalled)} ms of this check`,
    }
  }
}
