import type { MetricQuery, MetricSeries, MetricSummary } from '@watchpost/contract'
import { metricSeries, metricSeriesOfApp, pointsDay } from '@watchpost/store'
import type { Archive } from './archive.ts'
import type { Slice } from './ask.ts'
import { objectOfAttributes } from './block.ts'
import { type About, type Sample, unpackInbox } from './points.ts'
import { holds } from './read-traces.ts'
import { pointsOf } from './stat.ts'

/** A series as it is known. */
export interface KnownSeries {
  id: number
  about: About
}

export interface MetricSearch {
  app_id: number
  name: string
  series: KnownSeries[]
  from: number
  to: number
  now: number
  stat: MetricQuery['stat']
  /** Seconds. */
  step: number | undefined
  service: string | undefined
  attributes: [string, string][]
}

/** Series that are shown at most, and points of each. */
const mostSeries = 200
const mostPoints = 2000

/** Names of an app's metrics. */
export async function readMetricNames(archive: Archive, { app_id }: { app_id: number }): Promise<Slice<MetricSummary>> {
  const names = new Map<string, MetricSummary>()
  for (const { about } of await archive.metrics.all(metricSeriesOfApp, { app_id })) {
    const { name, type, unit, description } = JSON.parse(about) as About
    names.set(`${name} ${type}`, { name, type, unit, description })
  }
  const rows = [...names.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return { rows, meta: { next_cursor: null, complete: true } }
}

/** Every series of one name. */
export async function readSeries(
  archive: Archive,
  { app_id, name }: { app_id: number; name: string },
): Promise<KnownSeries[]> {
  const rows = await archive.metrics.all(metricSeries, { app_id, name })
  return rows.map(({ id, about }) => ({ id, about: JSON.parse(about) }))
}

/** Points of a metric, by its labels. */
export async function readMetric(archive: Archive, search: MetricSearch): Promise<MetricSeries> {
  const { service, attributes, from, to } = search
  const wanted = search.series.filter(
    ({ about }) =>
      (service === undefined || about.service === service) &&
      attributes.every(([key, value]) => holds(about.attributes, key, value) || holds(about.resource, key, value)),
  )
  const shown = wanted.slice(0, mostSeries)
  const samples = await samplesOf(archive, search.app_id, shown, from, to)
  const { type, unit } = (search.series[0] as KnownSeries).about
  const step = search.step ?? Math.ceil((to - from) / 1000 / 240 / 10) * 10
  const series = shown.flatMap(({ id, about }) => {
    const points = pointsOf(about, samples.get(id) ?? [], { from, to, stepMs: step * 1000, stat: search.stat })
    if (points.length === 0) return []
    const labels = { ...objectOfAttributes(about.attributes), 'service.name': about.service }
    return [{ attributes: labels, points: points.slice(-mostPoints) }]
  })
  return { name: search.name, type, unit, step, series }
}

/** Each point once, in the order of time. */
async function samplesOf(
  archive: Archive,
  app_id: number,
  wanted: KnownSeries[],
  from: number,
  to: number,
): Promise<Map<number, Sample[]>> {
  const samples = new Map<number, Sample[]>(wanted.map(({ id }) => [id, []]))
  for (const { db, day } of await archive.allPoints()) {
    for (const { data } of await db.all(pointsDay(day).inboxOf, { app_id })) {
      for (const { series, sample } of unpackInbox(data)) {
        if (sample.at >= from && sample.at <= to) samples.get(series)?.push(sample)
      }
    }
  }
  for (const each of samples.values()) each.sort((a, b) => a.at - b.at)
  return samples
}
