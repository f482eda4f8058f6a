import { setImmediate as breathe } from 'node:timers/promises'
import {
  ConflictError,
  ConstraintError,
  countMetricSeries,
  type Db,
  metricSeriesMade,
  metricSeriesSeen,
  pointsDay,
  type Step,
  seeMetricSeries,
} from '@watchpost/store'
import type { Origin, Point } from '../ingest/rows.ts'
import { BlockIds } from './block-ids.ts'
import { KnownSeries, seriesId } from './known-series.ts'
import { aboutOf, Inbox } from './points.ts'

/** Points that are gone through at once: others are answered in between. */
const atOnce = 1000
const attempts = 20
const hourMs = 3_600_000
/** Of what is said of a series, and of its sender: it is kept for a year, and read again with each question. */
const longestAbout = 32_768
const tooMuch = `What is said of a series and its sender is longer than ${longestAbout} characters`
/** Stands for the id of such a one. */
const tooLong = -1
/** What is remembered is looked up anew after so long, so that it is seen to be seen. */
const rememberedMs = 7 * 86_400_000
/** A series that is written again only so often. */
const seenMs = 30 * 86_400_000
/** How exactly it is known when a series was seen last. */
export const seenWithinMs = rememberedMs + seenMs

/** What keeps some points, and the places of those that are left out. */
export interface KeptPoints {
  steps: Step[]
  refused: ReadonlySet<number>
  /** Why they are. */
  reason: string
}

/** Series that are not remembered, by their ids, each with a point of it. */
type Unknown = Map<number, Point>

/** Prepares what keeps points: their series first, each once, then the points themselves in one row. */
export class MetricKeeper {
  private readonly series: Db
  /** New series of an app within an hour; 0 for any. */
  private readonly mostNew: number
  /** Of rows of the inbox. */
  readonly ids = new BlockIds()
  private readonly known = new KnownSeries()
  private rememberedSince = 0
  /** Whose the point before was, and whether that is too long. */
  private origin: Origin | undefined
  private isLongOrigin = false

  /** @param series where series are kept */
  constructor(series: Db, mostNew = 0) {
    this.series = series
    this.mostNew = mostNew
  }

  /** Writes series that are new, unless they would be too many. */
  async steps(app_id: number, points: Point[], day: number, now: number): Promise<KeptPoints> {
    const refused = new Set<number>()
    let isLong = false
    if (points.length === 0) return { steps: [], refused, reason: '' }
    this.forgetLongAgo(now)
    const inbox = new Inbox()
    for (let from = 0; from < points.length; from += atOnce) {
      if (from > 0) await breathe()
      const unknown: Unknown = new Map()
      const to = Math.min(points.length, from + atOnce)
      const ids: number[] = []
      for (let at = from; at < to; at++) ids.push(this.idOf(app_id, points[at] as Point, unknown))
      const denied = unknown.size > 0 ? await this.learn(app_id, unknown, now) : unknown
      for (let at = from; at < to; at++) {
        const series = ids[at - from] as number
        if (series === tooLong) isLong = true
        if (series === tooLong || denied.has(series)) refused.add(at)
        else inbox.add(series, points[at] as Point)
      }
    }
    const reason = isLong ? tooMuch : this.tooMany
    if (inbox.count === 0) return { steps: [], refused, reason }
    const params = { id: this.ids.next(now), app_id, data: inbox.pack() }
    return { steps: [{ query: pointsDay(day).insertInbox, params }], refused, reason }
  }

  private get tooMany(): string {
    return `More than ${this.mostNew} new series of metrics within an hour (WATCHPOST_TELEMETRY_NEW_SERIES_HOUR)`
  }

  /** Makes what is not there, as far as it may be. @returns those that may not */
  private async learn(app_id: number, unknown: Unknown, now: number): Promise<Unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        const denied = await this.tryLearn(app_id, unknown, now)
        for (const [id, point] of unknown) if (!denied.has(id)) this.known.add(app_id, point, id)
        return denied
      } catch (error) {
        // Another replica has made some of them, or used up the hour.
        const again = error instanceof ConflictError || error instanceof ConstraintError
        if (!again || attempt === attempts) throw error
      }
    }
  }

  private async tryLearn(app_id: number, unknown: Unknown, now: number): Promise<Unknown> {
    // Before it is looked what is there: what used the hour up is then seen, and none of it refused.
    const room = await this.room(app_id, now)
    const there = await this.series.all(metricSeriesSeen, { app_id, ids: [...unknown.keys()] })
    const missing = new Map(unknown)
    for (const { id } of there) missing.delete(id)
    const fresh = [...missing].slice(0, room)
    const steps: Step[] = []
    const stale = there.filter(({ seen_at }) => seen_at < now - seenMs).map(({ id }) => id)
    if (stale.length > 0) {
      // One may be forgotten at this moment.
      steps.push({ query: seeMetricSeries, params: { app_id, ids: stale, seen_at: now }, expect: stale.length })
    }
    if (fresh.length > 0 && this.mostNew > 0) {
      const params = { app_id, hour: hourOf(now), count: fresh.length, most: this.mostNew }
      steps.push({ query: countMetricSeries, params, expect: 1 })
    }
    const rows = fresh.map(([id, point]) => {
      const about = aboutOf(point)
      return { app_id, id, name: about.name.replaceAll('\0', ''), about: JSON.stringify(about), seen_at: now }
    })
    if (rows.length + steps.length > 0) await this.series.append('metric_series', rows, steps)
    for (const [id] of fresh) missing.delete(id)
    return missing
  }

  /** How many new series an app may have in this hour. */
  private async room(app_id: number, now: number): Promise<number> {
    if (this.mostNew === 0) return Number.POSITIVE_INFINITY
    const made = (await this.series.one(metricSeriesMade, { app_id, hour: hourOf(now) }))?.made ?? 0
    return Math.max(0, this.mostNew - made)
  }

  private idOf(app_id: number, point: Point, unknown: Unknown): number {
    if (this.isOfLongSender(point.metric.origin)) return tooLong
    let id = this.known.find(app_id, point)
    if (id === undefined) {
      if (JSON.stringify(aboutOf(point)).length > longestAbout) return tooLong
      id = seriesId(app_id, point)
      unknown.set(id, point)
    }
    return id
  }

  /** Before all that is said of it is looked at for each metric. */
  private isOfLongSender(origin: Origin): boolean {
    if (origin !== this.origin) {
      this.origin = origin
      const { resource, scope } = origin
      this.isLongOrigin = JSON.stringify([resource.attributes, scope]).length > longestAbout
    }
    return this.isLongOrigin
  }

  private forgetLongAgo(now: number): void {
    if (now - this.rememberedSince < rememberedMs) return
    this.rememberedSince = now
    this.known.clear()
  }

  async close(): Promise<void> {
    await this.series.close()
  }
}

const hourOf = (now: number): number => Math.floor(now / hourMs)
