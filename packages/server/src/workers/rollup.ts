import { setTimeout as sleep } from 'node:timers/promises'
import { ConflictError, type RollupDueRow, rolledTo, rollupsDue } from '@watchpost/store'
import { readSpan, rollupSteps } from '../api/rollups.ts'
import type { Context } from '../context.ts'
import { bucketOf, rollUp } from '../domain/rollup.ts'

const everyMs = 60_000
/** An hour is rolled up a little after its end: what comes in late makes it be rolled up again. */
const settleMs = 360_000
/** Monitors at a time, and a rest between: all of them are due at once, and results come in meanwhile. */
const batch = 20
const restMs = 10
/** Hours at a time: a monitor with a backlog must not hold up the others. */
const mostHours = 24

/**
 * Makes hours of five minutes and days of hours. Which hours of a monitor are made is written in its state, and a
 * commit holds that state to what it was read as: so a restart, a late result or another replica can come in between
 * anywhere, and what is made is always all that was counted.
 */
export class RollupWorker {
  private readonly context: Context
  private readonly stopping = new AbortController()
  private running: Promise<void> | undefined

  constructor(context: Context) {
    this.context = context
  }

  start(): void {
    this.running = this.loop()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  /** Rolls up all that is due. */
  async rollUpDue(): Promise<void> {
    while ((await this.walk()) > 0 && !this.stopping.signal.aborted);
  }

  private async loop(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.rollUpDue()
      } catch (error) {
        this.context.log.error({ err: error }, 'rollups are held up; trying again')
      }
      await this.rest(everyMs)
    }
  }

  /** @returns how many monitors it rolled up */
  private async walk(): Promise<number> {
    const hour = bucketOf(this.context.now() - settleMs, '1h')
    let rolled = 0
    let last = { team_id: 0, monitor_id: 0 }
    await this.context.results.settle()
    while (!this.stopping.signal.aborted) {
      const after = { after_team_id: last.team_id, after_monitor_id: last.monitor_id }
      const due = await this.context.db.all(rollupsDue, { ...after, hour, limit: batch })
      const done = await Promise.all(due.map(monitor => this.rollUpAlone(monitor, hour)))
      rolled += done.filter(Boolean).length
      if (due.length < batch) break
      last = due.at(-1) ?? last
      await this.rest(restMs)
    }
    return rolled
  }

  /** No result is judged by a count that this raises. */
  private rollUpAlone(monitor: RollupDueRow, hour: number): Promise<boolean> {
    return this.context.results.exclusively(monitor.monitor_id, () => this.rollUpMonitor(monitor, hour))
  }

  private async rollUpMonitor(monitor: RollupDueRow, hour: number): Promise<boolean> {
    const { db } = this.context
    const { team_id, monitor_id, seq, rolled_to, open_bucket } = monitor
    const first = monitor.first_bucket === null ? hour : Math.floor(monitor.first_bucket / 12)
    const upTo = Math.min(hour, first + mostHours)
    const [hours, fives] = await Promise.all([
      readSpan(db, monitor_id, { resolution: '1h', from: Math.floor(rolled_to / 24) * 24, to: rolled_to }),
      readSpan(db, monitor_id, { resolution: '5m', from: rolled_to * 12, to: upTo * 12 }),
    ])
    const made = rollUp(hours, fives, upTo)
    try {
      await db.commit([
        { query: rolledTo, params: { team_id, monitor_id, seq, hour: upTo }, expect: 1 },
        ...fives.filter(each => each.bucket === open_bucket).flatMap(rollup => rollupSteps(monitor_id, '5m', rollup)),
        ...made.hours.flatMap(rollup => rollupSteps(monitor_id, '1h', rollup)),
        ...made.days.flatMap(rollup => rollupSteps(monitor_id, '1d', rollup)),
      ])
      return true
    } catch (error) {
      // A result or another replica was first; it is due still, or done.
      if (error instanceof ConflictError) return false
      throw error
    }
  }

  private async rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.stopping.signal, ref: false }).catch(() => undefined)
  }
}
