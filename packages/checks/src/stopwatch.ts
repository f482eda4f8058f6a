import type { Timings } from '@watchpost/contract'

/**
 * Times the phases of a check. A lap runs from the end of the lap before, so the laps add up to the response time;
 * a phase that happens twice (a redirect connects again) adds up too. Milliseconds, monotonic.
 */
export class Stopwatch {
  readonly timings: Timings = {}
  readonly #start = performance.now()
  #lap = this.#start
  #answer: number | null = null

  /** Ends a phase: what passed since the last lap was spent in it. */
  lap(phase: keyof Timings): void {
    const now = performance.now()
    this.timings[phase] = round((this.timings[phase] ?? 0) + now - this.#lap)
    this.#lap = now
  }

  /** The target has answered, well or badly. A type that measures better itself (ping) says how long it took. */
  answered(milliseconds = performance.now() - this.#start): void {
    this.#answer = round(milliseconds)
  }

  /** Milliseconds from the start to the answer; null as long as there is none. */
  get responseTime(): number | null {
    return this.#answer
  }
}

// Microseconds are noise in a history that is kept for months.
const round = (milliseconds: number) => Math.round(milliseconds * 100) / 100
