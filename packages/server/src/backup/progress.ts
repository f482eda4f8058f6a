import { OperatorError } from '../config.ts'
import { sizeText } from './files.ts'

/** How often a person is told. */
const everyMs = 200

/** Somebody wants it to end: nothing is wrong with what it was about. */
export class StoppedError extends OperatorError {
  override name = 'StoppedError'
}

/** What something long says of itself. */
export interface ProgressWords {
  /** What it does, such as `Verifying`. */
  what: string
  /** What is there once it was stopped. */
  whenStopped: string
}

/** Says on a terminal how far something long has come, and stops it where the process is asked to end. */
export class Progress {
  /** Aborted where the process is asked to end. */
  readonly stopping: AbortSignal
  private readonly words: ProgressWords
  private readonly write: ((text: string) => void) | undefined
  private total = 0
  private before = 0
  private current = 0
  private toldAt = 0
  private readonly stop: (signal: NodeJS.Signals) => void

  /** @param write to the terminal; undefined where there is none */
  constructor(words: ProgressWords, write: ((text: string) => void) | undefined) {
    const stopping = new AbortController()
    this.stopping = stopping.signal
    this.stop = signal => stopping.abort(signal)
    this.words = words
    this.write = write
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, this.stop)
  }

  begin(total: number): void {
    this.total = total
    this.before = 0
    this.current = 0
  }

  /** @param done bytes of this one */
  at(name: string, done: number): void {
    this.check()
    this.current = done
    if (this.write === undefined || Date.now() - this.toldAt < everyMs) return
    this.toldAt = Date.now()
    const percent = Math.min(100, Math.floor((100 * (this.before + this.current)) / Math.max(1, this.total)))
    this.write(`\r\u001b[K${this.words.what}: ${percent} % of ${sizeText(this.total)}, ${name}`)
  }

  /** This one is over. */
  next(): void {
    this.before += this.current
    this.current = 0
  }

  /** @throws {StoppedError} where somebody wants it to end */
  check(): void {
    const { aborted, reason } = this.stopping
    if (aborted) throw new StoppedError(`Stopped by ${reason}; ${this.words.whenStopped}`)
  }

  end(): void {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, this.stop)
    if (this.toldAt > 0) this.write?.('\r\u001b[K')
  }
}
