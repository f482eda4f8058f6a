/** Samples that the estimate chooses from. */
const samplesKept = 8
/** Milliseconds by which two samples may disagree, beyond what their travel times explain, before it is a step. */
const stepMs = 50

interface Sample {
  /** Server time less monotonic time, in milliseconds. */
  offset: number
  roundTrip: number
}

/**
 * The server's clock as seen from here: leases and due times are the server's, so all scheduling is in its time.
 * It runs on the monotonic clock, so a step of this host's wall clock moves nothing.
 */
export class ServerClock {
  #samples: Sample[] = []
  /** The quickest exchange tells most. */
  #best: Sample | undefined
  readonly #monotonic: () => number
  readonly #wall: () => number

  constructor(monotonic: () => number = () => performance.now(), wall: () => number = Date.now) {
    this.#monotonic = monotonic
    this.#wall = wall
  }

  /** Server time in epoch milliseconds; this host's own until the first {@link sync}. */
  now(): number {
    return this.#best === undefined ? this.#wall() : this.#monotonic() + this.#best.offset
  }

  /** Milliseconds that never go back; what {@link sync} wants its readings of. */
  monotonic(): number {
    return this.#monotonic()
  }

  /** Milliseconds by which the server is ahead of this host's wall clock. */
  skewMs(): number {
    return this.now() - this.#wall()
  }

  /**
   * Takes in one exchange, as NTP does: the server read its clock half-way between sending and receiving.
   * @param serverTime epoch milliseconds
   * @param sentAt monotonic milliseconds, as `receivedAt`
   */
  sync(serverTime: number, sentAt: number, receivedAt: number): void {
    if (!Number.isFinite(serverTime)) return
    const sample = { offset: serverTime - (sentAt + receivedAt) / 2, roundTrip: Math.max(0, receivedAt - sentAt) }
    const best = this.#best
    // A sample is wrong by half its round trip at most; two that disagree by more mean that a clock was set.
    const explained = best === undefined ? 0 : (best.roundTrip + sample.roundTrip) / 2 + stepMs
    if (best !== undefined && Math.abs(best.offset - sample.offset) > explained) this.#samples = []
    this.#samples.push(sample)
    if (this.#samples.length > samplesKept) this.#samples.shift()
    this.#best = this.#samples.reduce((best, next) => (next.roundTrip <= best.roundTrip ? next : best))
  }
}
