import type { Logger } from 'pino'

/** Work that is done again and again, one turn after the other, until stopped; trouble is logged and tried again. */
export class Repeating {
  private readonly what: string
  private readonly everyMs: number
  private readonly log: Logger
  private readonly work: (signal: AbortSignal) => Promise<void>
  private readonly stopping = new AbortController()
  private running: Promise<void> | undefined
  private wake: () => void = () => undefined

  /** @param what it is called in the log */
  constructor(what: string, everyMs: number, log: Logger, work: (signal: AbortSignal) => Promise<void>) {
    this.what = what
    this.everyMs = everyMs
    this.log = log
    this.work = work
  }

  start(): void {
    this.running = this.loop()
  }

  /** Resolves once the turn under way is over. */
  async stop(): Promise<void> {
    this.stopping.abort()
    this.wake()
    await this.running
  }

  private async loop(): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      try {
        await this.work(signal)
      } catch (error) {
        if (!signal.aborted) this.log.error({ err: error }, `${this.what} are held up; trying again`)
      }
      if (signal.aborted) return
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, this.everyMs)
        this.wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
}
