import { OperatorError } from '../config.ts'
import { sizeText } from './files.ts'

/** How often a person is told. */
const everyMs = 200

/** Says on a terminal how far something long has come, and stops it where the process is asked to end. */
export class Progress {
  private readonly what: string
  private readonly write: ((text: string) => void) | undefined
  private total = 0
  private before = 0
  private current = 0
  private toldAt = 0
  private stopped: string | undefined
  private readonly stop = (signal: NodeJS.Signals) => {
    this.stopped ??= signal
  }

  /** @param write to the terminal; undefined where there is none */
  constructor(what: string, write: ((text: string) => void) | undefined) {
    this.what = what
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
    this.write(`\r\u001b[K${this.what}: ${percent} % of ${sizeText(this.total)}, ${name}`)
  }

  /** This one is over. */
  next(): void {
    this.before += this.current
    this.current = 0
  }

  /** @throws {OperatorError} where somebody wants it to end */
  check(): void {
    if (this.stopped !== undefined) throw new OperatorError(`Stopped by ${this.stopped}; nothing is left of it`)
  }

  end(): void {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, this.stop)
    if (this.toldAt > 0) this.write?.('\r\u001b[K')
  }
}
