import { type Db, insertMetricSeries, pointsDay, type Step } from '@watchpost/store'
import type { Point } from '../ingest/rows.ts'
import { BlockIds } from './block-ids.ts'
import { KnownSeries, seriesId } from './known-series.ts'
import { type About, aboutOf, packInbox, sampleOf } from './points.ts'

/** Prepares what keeps points: their series first, each once, then the points themselves in one row. */
export class MetricKeeper {
  private readonly series: Db
  private readonly ids = new BlockIds()
  /** Those that are not known are written again, which changes nothing. */
  private readonly known = new KnownSeries()

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

  private idOf(app_id: number, point: Point, fresh: Map<number, About>): number {
    let id = this.known.find(app_id, point)
    if (id === undefined) {
      id = seriesId(app_id, point)
      this.known.add(app_id, point, id)
      fresh.set(id, aboutOf(point))
    }
    return id
  }

  async close(): Promise<void> {
    await this.series.close()
  }
}
