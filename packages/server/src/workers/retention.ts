import { checkDays, dayName, dropCheckDay, dropRollups, forgetRumVisits, monitorIds } from '@watchpost/store'
import type { Context } from '../context.ts'
import { bucketOf, type Resolution, seriesOf } from '../domain/rollup.ts'
import { keptFrom } from '../results/check-tables.ts'

const dayMs = 86_400_000
const everyMs = 3_600_000

/** Days that rollups are kept for. */
const rollupDays: Record<Resolution, number> = { '5m': 30, '1h': 90, '1d': 400 }

/** Monitors whose old rollups one commit deletes: a dozen rows each, an hour after the last. */
const monitorsPerCommit = 50
const visitsPerCommit = 500

/** Makes the tables of the coming day before they are needed, and forgets what is too old. */
export class RetentionWorker {
  private readonly context: Pick<Context, 'db' | 'results' | 'rum' | 'config' | 'log' | 'now'>
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | undefined
  private stopped = false

  constructor(context: Pick<Context, 'db' | 'results' | 'rum' | 'config' | 'log' | 'now'>) {
    this.context = context
  }

  /** Resolves once there are tables for today. */
  async start(): Promise<void> {
    await this.makeDays()
    this.timer = setInterval(() => this.look(), everyMs)
    this.look()
  }

  async stop(): Promise<void> {
    this.stopped = true
    clearInterval(this.timer)
    await this.running
  }

  /** Everything once. */
  async run(): Promise<void> {
    await this.makeDays()
    await this.dropDays()
    await this.dropRum()
    await this.trimRollups()
  }

  private look(): void {
    this.running ??= this.run()
      .catch(error => this.context.log.error({ err: error }, 'what is too old is not deleted yet; trying again'))
      .finally(() => {
        this.running = undefined
      })
  }

  private async makeDays(): Promise<void> {
    const now = this.context.now()
    for (const at of [now, now + dayMs]) {
      await this.context.results.tables.make(at)
      await this.context.rum.tables.make(dayName(at))
    }
  }

  private async dropDays(): Promise<void> {
    const { db, results, now } = this.context
    const oldest = dayName(keptFrom(now()))
    for (const { day } of await db.all(checkDays, {})) if (day < oldest) await dropCheckDay(db, day)
    results.tables.forget()
  }

  private async dropRum(): Promise<void> {
    const { db, rum, config, now } = this.context
    const { telemetry: days } = config.telemetry.days
    const at = now()
    await rum.tables.dropBefore(at, days)
    const params = { before: at - days * dayMs, limit: visitsPerCommit }
    while (!this.stopped) {
      const [gone = []] = await db.commit([{ query: forgetRumVisits, params }])
      if (gone.length < visitsPerCommit) return
    }
  }

  /** Some monitors at a time: no result waits long behind it. */
  private async trimRollups(): Promise<void> {
    const { db, now } = this.context
    const at = now()
    for (let after = 0; !this.stopped; ) {
      const ids = (await db.all(monitorIds, { after, limit: monitorsPerCommit })).map(({ id }) => id)
      if (ids.length === 0) return
      await db.commit(
        Object.entries(rollupDays).flatMap(([name, days]) => {
          const resolution = name as Resolution
          const before = bucketOf(at - days * dayMs, resolution)
          const params = { series: ids.map(id => seriesOf(id, resolution)), before }
          return dropRollups.map(query => ({ query, params }))
        }),
      )
      after = ids.at(-1) as number
    }
  }
}
