import type { Context } from '../context.ts'

/** How often rows are brought up to what was accepted, ms. */
const everyMs = 500
/** As many rows as need not wait: a process that is restarted finds little to do again. */
const few = 2000
/** With more monitors than that it is cheaper to gather their results for a while, ms. */
const longestMs = 10_000

/** Brings rows up to what was accepted, soon but not at once: one write for several results of a monitor. */
export class CatchUpWorker {
  private readonly context: Pick<Context, 'results' | 'log' | 'now'>
  private readonly timer: NodeJS.Timeout
  private running: Promise<void> | undefined

  constructor(context: Pick<Context, 'results' | 'log' | 'now'>) {
    this.context = context
    this.timer = setInterval(() => this.look(), everyMs)
  }

  /** At the end everything is in the rows. */
  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.running
    await this.context.results.close()
  }

  private look(): void {
    const { results, now } = this.context
    const behind = results.behind()
    if (behind === undefined || this.running !== undefined) return
    if (behind.monitors > few && now() - behind.since < longestMs) return
    this.running = results
      .settle()
      .catch(error =>
        this.context.log.error({ err: error }, 'results are accepted, but not in the tables yet; trying again'),
      )
      .finally(() => {
        this.running = undefined
      })
  }
}
