import { createHash } from 'node:crypto'
import { type Db, insertMetricSeries, pointsDay, type Step } from '@watchpost/store'
import type { Point } from '../ingest/rows.ts'
import { BlockIds } from './block-ids.ts'
import { type About, aboutOf, packInbox, sampleOf } from './points.ts'

/** Characters of series that are remembered to be known; beyond it they are written again, which changes nothing. */
const mostRemembered = 8_000_000

/** Prepares what keeps points: their series first, each once, then the points themselves in one row. */
export class MetricKeeper {
  private readonly series: Db
  private readonly ids = new BlockIds()
  private readonly known = new Map<string, number>()
  private remembered = 0

  /** @param series where series are kept */
  constructor(series: Db) {
    this.series = series
  }

  /** Writes series that are new; @returns the steps that write the points */
  async steps(app_id: number, points: Point[], day: number, now: number): Promise<Step[]> {
    if (points.length === 0) return []
    const fresh = new Map<number, About>()
    const rows = points.map(point => ({ series: this.idOf(app_id, point, fresh), sample: sampleOf(point) }))
    if (fresh.size > 0) {
      await this.series.commit(
        [...fresh].map(([id, about]) => ({
          query: insertMetricSeries,
          params: { app_id, id, name: about.name.replaceAll('\0', ''), about: JSON.stringify(about) },
        })),
      )
    }
    return [{ query: pointsDay(day).insertInbox, params: { id: this.ids.next(now), app_id, data: packInbox(rows) } }]
  }

  /** By what a series is, so that every replica gives it the same. */
  private idOf(app_id: number, point: Point, fresh: Map<number, About>): number {
    const { name, type, unit, temporality, monotonic, origin } = point.metric
    const what = [app_id, name, type, unit, temporality, monotonic, point.attributes, origin.resource.attributes]
    const key = JSON.stringify(what)
    let id = this.known.get(key)
    if (id === undefined) {
      id = createHash('sha256').update(key).digest().readUIntBE(0, 6)
      this.remembered += key.length
      if (this.remembered > mostRemembered) {
        this.known.clear()
        this.remembered = key.length
      }
      this.known.set(key, id)
      fresh.set(id, aboutOf(point))
    }
    return id
  }

  async close(): Promise<void> {
    await this.series.close()
  }
}
