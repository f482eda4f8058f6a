import { createHash } from 'node:crypto'
import type { Attributes, Metric, Point } from '../ingest/rows.ts'
import { scopeIdOf } from './points.ts'

/** Characters of series that are remembered; beyond it all of them are forgotten. */
const most = 8_000_000

/** Series of a metric and a sender. */
class OfMetric {
  private readonly byText = new Map<string, number>()
  private readonly byObject = new WeakMap<Attributes, number>()

  find(attributes: Attributes): number | undefined {
    let id = this.byObject.get(attributes)
    if (id === undefined) {
      id = this.byText.get(JSON.stringify(attributes))
      // Frozen are those that points of many requests share.
      if (id !== undefined && Object.isFrozen(attributes)) this.byObject.set(attributes, id)
    }
    return id
  }

  set(text: string, id: number): void {
    this.byText.set(text, id)
  }
}

/**
 * Ids of series that are known to be kept. Points of a metric come together and share all but their attributes, so those are
 * all that is written down to find a point's series: half the work of keeping points is left.
 */
export class KnownSeries {
  /** By what is the same for all series of a metric and a sender, then by attributes. */
  private readonly known = new Map<string, OfMetric>()
  private characters = 0
  /** Of the point that was looked up last. */
  private metric: Metric | undefined
  private ofMetric = new OfMetric()

  find(app_id: number, point: Point): number | undefined {
    return this.seriesOf(app_id, point.metric).find(point.attributes)
  }

  add(app_id: number, point: Point, id: number): void {
    const key = JSON.stringify(point.attributes)
    this.count(key)
    this.seriesOf(app_id, point.metric).set(key, id)
  }

  clear(): void {
    this.known.clear()
    this.characters = 0
    this.metric = undefined
  }

  private seriesOf(app_id: number, metric: Metric): OfMetric {
    if (metric === this.metric) return this.ofMetric
    const { name, type, unit, temporality, monotonic, origin } = metric
    const ofSender = [origin.resource.attributes, scopeIdOf(metric)]
    const key = JSON.stringify([app_id, name, type, unit, temporality, monotonic, ...ofSender])
    let series = this.known.get(key)
    if (series === undefined) {
      this.count(key)
      series = new OfMetric()
      this.known.set(key, series)
    }
    this.metric = metric
    this.ofMetric = series
    return series
  }

  private count(key: string): void {
    if (this.characters + key.length > most) this.clear()
    this.characters += key.length
  }
}

/** By what a series is, so that every replica gives it the same. */
export function seriesId(app_id: number, { metric, attributes }: Point): number {
  const { name, type, unit, temporality, monotonic, origin } = metric
  const ofSender = [origin.resource.attributes, scopeIdOf(metric)]
  const what = [app_id, name, type, unit, temporality, monotonic, attributes, ...ofSender]
  return createHash('sha256').update(JSON.stringify(what)).digest().readUIntBE(0, 6)
}
