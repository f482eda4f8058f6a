import { createHash } from 'node:crypto'
import type { Metric, Point } from '../ingest/rows.ts'

/** Characters of series that are remembered to be known; beyond it they are looked up again. */
const mostRemembered = 8_000_000

/** Series that are not remembered, by their ids, each with a point and where it is remembered. */
export type Unknown = Map<number, { point: Point; ofMetric: Map<string, number>; key: string }>

/** What series are called, and which of them are known to be kept. */
export class SeriesIds {
  /** Of each metric and sender the ids of its series, by their attributes. */
  private readonly known = new Map<string, Map<string, number>>()
  private remembered = 0
  private metric: Metric | undefined
  private ofMetric = new Map<string, number>()

  /** By what a series is, so that every replica gives it the same. */
  idOf(app_id: number, point: Point, unknown: Unknown): number {
    if (point.metric !== this.metric) {
      this.ofMetric = this.seriesOf(app_id, point.metric)
      this.metric = point.metric
    }
    const { ofMetric } = this
    const key = JSON.stringify(point.attributes)
    let id = ofMetric.get(key)
    if (id === undefined) {
      const { name, type, unit, temporality, monotonic, origin } = point.metric
      const what = [app_id, name, type, unit, temporality, monotonic, point.attributes, origin.resource.attributes]
      id = createHash('sha256').update(JSON.stringify(what)).digest().readUIntBE(0, 6)
      unknown.set(id, { point, ofMetric, key })
    }
    return id
  }

  /** They are kept. */
  remember(unknown: Unknown): void {
    for (const [id, { ofMetric, key }] of unknown) {
      this.count(key)
      ofMetric.set(key, id)
    }
  }

  forget(): void {
    this.known.clear()
    this.metric = undefined
    this.remembered = 0
  }

  private seriesOf(app_id: number, { name, type, unit, temporality, monotonic, origin }: Metric): Map<string, number> {
    const key = JSON.stringify([app_id, name, type, unit, temporality, monotonic, origin.resource.attributes])
    let series = this.known.get(key)
    if (series === undefined) {
      this.count(key)
      series = new Map()
      this.known.set(key, series)
    }
    return series
  }

  private count(key: string): void {
    this.remembered += key.length
    if (this.remembered <= mostRemembered) return
    this.forget()
    this.remembered = key.length
  }
}
