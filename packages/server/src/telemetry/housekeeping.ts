import { type Days, dayName, dropMetricRollups, forgetTelemetryRequests, takeTelemetryTurn } from '@watchpost/store'
import type { Archive } from './archive.ts'
import { digestBlocks } from './digest-blocks.ts'
import { forgetSeries } from './forget-series.ts'
import { mergeBlocks } from './merge-blocks.ts'
import { packPoints } from './pack-points.ts'
import type { KeptDays } from './protocol.ts'
import { rollupLevels } from './rollups.ts'

const dayMs = 86_400_000
/** How often it is looked whether there is anything to do. */
const everyMs = 2_000
/** How often small blocks are put together. */
const mergeMs = 10_000
/** How often what is too old is dropped, and points are packed. */
const seldomMs = 60_000

/** What happens to telemetry without a request: small blocks put together, traces indexed, points packed, and days dropped that are over. */
export class Housekeeping {
  private readonly archive: Archive
  private readonly kept: KeptDays
  private readonly now: () => number
  private readonly trouble: (error: unknown) => void
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | undefined
  private seldomAt = 0
  private mergedAt = 0
  private stopped = false

  constructor(archive: Archive, kept: KeptDays, now: () => number, trouble: (error: unknown) => void) {
    this.archive = archive
    this.kept = kept
    this.now = now
    this.trouble = trouble
  }

  start(): void {
    this.timer = setInterval(() => this.look(), everyMs)
    this.look()
  }

  async stop(): Promise<void> {
    this.stopped = true
    clearInterval(this.timer)
    await this.running
    await this.archive.close()
  }

  private look(): void {
    if (this.stopped) return
    this.running ??= this.run()
      .catch(this.trouble)
      .finally(() => {
        this.running = undefined
      })
  }

  /** Everything that is due. */
  async run(): Promise<void> {
    const now = this.now()
    if (now - this.mergedAt >= mergeMs) {
      this.mergedAt = now
      if (await this.isOurs('blocks', mergeMs, now)) {
        await mergeBlocks(this.archive, now, () => this.stopped)
        await digestBlocks(this.archive, now, () => this.stopped)
      }
    }
    await this.indexTraces(now)
    if (now - this.seldomAt < seldomMs) return
    this.seldomAt = now
    if (!(await this.isOurs('points', seldomMs, now))) return
    await this.dropDays(this.archive.days, this.kept.telemetry, now)
    await packPoints(this.archive, now, () => this.stopped)
    await this.dropDays(this.archive.points, this.kept.points, now)
    await this.dropRollups(now)
    await forgetSeries(this.archive, now, () => this.stopped)
    if (this.archive.engine === 'postgres') {
      await this.archive.main.commit([{ query: forgetTelemetryRequests, params: { before: now - 2 * 300_000 } }])
    }
  }

  /** Replicas take turns: both could do it at once, and one of them in vain. */
  private async isOurs(name: string, everyMs: number, now: number): Promise<boolean> {
    if (this.archive.engine === 'sqlite') return true
    const params = { name, now, until: now + everyMs / 2 }
    const [turn = []] = await this.archive.main.commit([{ query: takeTelemetryTurn, params }])
    return turn.length > 0
  }

  /** Of the day that is written, and the one before, whose last blocks may be in no run yet. */
  private async indexTraces(now: number): Promise<void> {
    const oldest = dayName(now - dayMs)
    for (const open of await this.archive.all()) {
      if (open.day >= oldest) await (await this.archive.index(open)).tidy(now)
    }
  }

  /** Everything of a day at once: a file that is deleted, or tables that are dropped. */
  private async dropDays(days: Days, kept: number, now: number): Promise<void> {
    const oldest = dayName(now - kept * dayMs)
    for (const day of await days.list()) if (day < oldest) await days.drop(day)
  }

  private async dropRollups(now: number): Promise<void> {
    await this.archive.metrics.commit(
      rollupLevels.map(({ resolution, rowMs, days }) => {
        const before = Math.floor((now - days * dayMs) / rowMs)
        return { query: dropMetricRollups, params: { resolution, before } }
      }),
    )
  }
}
