import type { MetricQuery, MetricSeries, MetricSummary } from '@watchpost/contract'
import { metricRollups, metricSeries, metricSeriesOfApp, pointsDay } from '@watchpost/store'
import type { Archive } from './archive.ts'
import type { Slice } from './ask.ts'
import { objectOfAttributes } from './block.ts'
import { type About, type Sample, unpackInbox } from './points.ts'
import { holds } from './read-traces.ts'
import { type Summary, unpackSummaries } from './rollup-points.ts'
import { rollupLevels } from './rollups.ts'
import { unpackSamples } from './sample-chunk.ts'
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

const hourMs = 3_600_000
const dayMs = 86_400_000
/** Days that points are kept as they were sent (specification 8.3). */
const rawDays = 7

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
  const samples = await samplesOf(archive, search, shown)
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

/** Each point once, in the order of time; of older ranges stretches that were put together, and what is not yet. */
async function samplesOf(
  archive: Archive,
  search: MetricSearch,
  wanted: KnownSeries[],
): Promise<Map<number, Sample[]>> {
  if (search.from >= search.now - rawDays * dayMs) return sorted(await rawSamples(archive, search, wanted, true))
  const rolled = await rolledUp(archive, search, wanted)
  const waiting = await rawSamples(archive, search, wanted, rolled.size === 0)
  for (const [id, each] of rolled) waiting.get(id)?.push(...each)
  return sorted(waiting)
}

function sorted(samples: Map<number, Sample[]>): Map<number, Sample[]> {
  for (const each of samples.values()) each.sort((a, b) => a.at - b.at)
  return new Map([...samples].map(([id, each]) => [id, each.filter(isNew)]))
}

/** @param packed those too that are packed by series; otherwise what waits for it */
async function rawSamples(
  archive: Archive,
  { app_id, from, to }: MetricSearch,
  wanted: KnownSeries[],
  packed: boolean,
): Promise<Map<number, Sample[]>> {
  const samples = new Map<number, Sample[]>(wanted.map(({ id }) => [id, []]))
  const ids = [...samples.keys()]
  const add = (series: number, sample: Sample) => {
    if (sample.at >= from && sample.at <= to) samples.get(series)?.push(sample)
  }
  for (const { db, day } of ids.length === 0 ? [] : await archive.allPoints()) {
    // The inbox first: what is packed in between is read twice rather than not at all.
    for (const { data } of await db.all(pointsDay(day).inboxOf, { app_id })) {
      for (const { series, sample } of unpackInbox(data)) add(series, sample)
    }
    for (const { series_id, hour, data } of packed ? await db.all(pointsDay(day).chunksOf, { app_id, ids }) : []) {
      if ((hour + 1) * hourMs > from && hour * hourMs <= to)
        for (const each of unpackSamples(data)) add(series_id, each)
    }
  }
  return samples
}

/** What was read twice while it was packed is one point. */
const isNew = (sample: Sample, index: number, all: Sample[]): boolean => {
  const before = all[index - 1]
  return before === undefined || before.at !== sample.at || before.value !== sample.value
}

/** What is left of points that are not kept any more: as if each stretch had been one point, or a few. */
async function rolledUp(archive: Archive, search: MetricSearch, wanted: KnownSeries[]): Promise<Map<number, Sample[]>> {
  const { app_id, from, to, now } = search
  const level = rollupLevels.find(({ days }) => from >= now - days * dayMs) ?? rollupLevels.at(-1)
  if (level === undefined || wanted.length === 0) return new Map()
  const { resolution, rowMs } = level
  const range = { from: Math.floor(from / rowMs), to: Math.floor(to / rowMs) }
  const ids = wanted.map(({ id }) => id)
  const samples = new Map<number, Sample[]>()
  for (const { series_id, data } of await archive.metrics.all(metricRollups, { app_id, ids, resolution, ...range })) {
    const { about } = wanted.find(({ id }) => id === series_id) as KnownSeries
    const summaries = unpackSummaries(data).summaries.filter(({ at }) => at >= from - level.stepMs && at <= to)
    const each = summaries.map(summary => sampleOf(about, summary, search.stat))
    samples.set(series_id, [...(samples.get(series_id) ?? []), ...each])
  }
  return samples
}

/** The number of a stretch that answers for it. */
function sampleOf({ type, temporality }: About, summary: Summary, stat: MetricSearch['stat']): Sample {
  const { at, count, sum, min, max, last, distribution } = summary
  const isDelta = type === 'sum' && temporality === 1
  const values: Record<string, number> = { min, max, sum, avg: count === 0 ? Number.NaN : sum / count, count }
  const value = values[stat ?? ''] ?? (isDelta ? sum : last)
  return { at, value, extra: distribution === undefined ? undefined : { distribution } }
}
