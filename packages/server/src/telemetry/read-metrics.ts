import type { MetricQuery, MetricSeries, MetricSummary } from '@watchpost/contract'
import { metricNames, metricRollups, metricSeries, metricSeriesByIds, pointsDay } from '@watchpost/store'
import type { Exemplar } from '../ingest/rows.ts'
import type { Archive } from './archive.ts'
import type { Slice } from './ask.ts'
import { objectOfAttributes } from './block.ts'
import { type About, eachInboxPoint, type Sample } from './points.ts'
import { isoOf } from './read-trace.ts'
import { holds } from './read-traces.ts'
import { type Summary, unpackSummaries } from './rollup-points.ts'
import { rollupLevels } from './rollups.ts'
import { unpackSamples } from './sample-chunk.ts'
import { Budget } from './slices.ts'
import { pointsOf } from './stat.ts'

/** A series as it is known. */
export interface KnownSeries {
  id: number
  about: About
}

export interface MetricSearch {
  app_id: number
  name: string
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
/** Of one answer, and of one series of it. */
const mostExemplars = 200
const exemplarsOfSeries = 10

/** Names that are listed, and series of one name that are looked at. */
const mostNames = 10_000
const mostLookedAt = 20_000
const idsAtOnce = 100
/** Characters of names that are listed. */
const mostText = 4_194_304
/** Numbers of distributions in one answer, roughly. */
const mostNumbers = 200_000

/** How long one answer may be read. */
const readMs = 1000
/** Points that are in memory at once; of one that says more than a number there is room for fewer. */
const mostHeld = 1_000_000
const heldByExtra = 10
/** Rows of the inbox that are read at once, and chunks of a series and day at most. */
const rowsAtOnce = 100
const mostChunks = 5000

const hourMs = 3_600_000
const dayMs = 86_400_000
/** Days that points are kept as they were sent (specification 8.3). */
const rawDays = 7

/** Names of an app's metrics. */
export async function readMetricNames(archive: Archive, { app_id }: { app_id: number }): Promise<Slice<MetricSummary>> {
  const found = await archive.metrics.all(metricNames, { app_id, limit: mostNames + 1 })
  const names = new Map<string, MetricSummary>()
  const ids = [...new Set(found.slice(0, mostNames).flatMap(({ one, other }) => [one, other]))]
  let text = 0
  let at = 0
  for (; at < ids.length && text < mostText; at += idsAtOnce) {
    for (const { about } of await archive.metrics.all(metricSeriesByIds, {
      app_id,
      ids: ids.slice(at, at + idsAtOnce),
    })) {
      const { name, type, unit, description } = JSON.parse(about) as About
      text += name.length + description.length
      names.set(`${name} ${type}`, { name, type, unit, description })
    }
  }
  const rows = [...names.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return { rows, meta: { next_cursor: null, complete: found.length <= mostNames && at >= ids.length } }
}

export async function hasMetric(
  archive: Archive,
  { app_id, name }: { app_id: number; name: string },
): Promise<boolean> {
  const any = { app_id, name, text: '%', other: '%', limit: 1 }
  return (await archive.metrics.all(metricSeries, any)).length > 0
}

type Wanted = Pick<MetricSearch, 'app_id' | 'name' | 'service' | 'attributes'>

/** Series of one name, with the attributes that are asked for; of very many the newest. */
export async function readSeries(archive: Archive, wanted: Wanted): Promise<{ series: KnownSeries[]; all: boolean }> {
  const { app_id, name, service, attributes } = wanted
  const [text, other] = patternsOf(wanted)
  const rows = await archive.metrics.all(metricSeries, { app_id, name, text, other, limit: mostLookedAt + 1 })
  const series: KnownSeries[] = []
  for (const { id, about: json } of rows.slice(0, mostLookedAt)) {
    if (series.length > mostSeries) break
    const about: About = JSON.parse(json)
    const has = ([key, value]: [string, string]) =>
      holds(about.attributes, key, value) || holds(about.resource, key, value)
    if ((service === undefined || about.service === service) && attributes.every(has)) series.push({ id, about })
  }
  return { series: series.slice(0, mostSeries), all: rows.length <= mostLookedAt && series.length <= mostSeries }
}

/** What stands in the JSON of a series of a service, or with an attribute, whose value is text or anything else. */
function patternsOf({ service, attributes: [first] }: Wanted): [string, string] {
  const like = (text: string) => `%${text.replaceAll(/[!%_]/g, '!$&')}%`
  if (first === undefined && service === undefined) return ['%', '%']
  if (first === undefined) {
    const text = like(`"service":${JSON.stringify(service)}`)
    return [text, text]
  }
  const [key, value] = first
  const keyText = JSON.stringify(key)
  return [like(`${keyText},${JSON.stringify(value)}`), like(`${keyText},${value}`.replaceAll('\0', ''))]
}

/** Points of a metric, by its labels. What would take too long is left out, and the answer says so. */
export async function readMetric(archive: Archive, search: MetricSearch): Promise<MetricSeries> {
  const { from, to } = search
  const { series: shown, all } = await readSeries(archive, search)
  const { type, unit } = (shown[0] ?? (await anyOf(archive, search))).about
  const step = search.step ?? Math.ceil((to - from) / 1000 / 240 / 10) * 10
  const effort = new Effort()
  const waiting = await inboxSamples(archive, search, shown, effort)
  const series: MetricSeries['series'] = []
  let exemplars = mostExemplars
  const whole = new WholeDistributions()
  for (const each of shown) {
    const samples = await samplesOf(archive, search, each, waiting.get(each.id) ?? [], effort)
    const points = pointsOf(each.about, samples, { from, to, stepMs: step * 1000, stat: search.stat })
    if (points.length === 0) continue
    const { about } = each
    const examples = exemplarsOf(samples, Math.min(exemplars, exemplarsOfSeries))
    exemplars -= examples.length
    const [name = '', version = '', ofScope = []] = about.scope ?? []
    series.push({
      attributes: { ...objectOfAttributes(about.attributes), 'service.name': about.service },
      resource: objectOfAttributes(about.resource),
      scope: { name, version, attributes: objectOfAttributes(ofScope) },
      temporality: temporalities[about.temporality] ?? 'unspecified',
      monotonic: about.monotonic,
      points: points.slice(-mostPoints),
      distributions: step === 0 ? whole.of(samples) : [],
      exemplars: examples,
    })
  }
  return { name: search.name, type, unit, step, complete: effort.wasEnough && all, series }
}

const temporalities = ['unspecified', 'delta', 'cumulative']

/** Where none has the attributes that are asked for: what they would be of. */
async function anyOf(archive: Archive, { app_id, name }: MetricSearch): Promise<KnownSeries> {
  const { series } = await readSeries(archive, { app_id, name, service: undefined, attributes: [] })
  return series[0] as KnownSeries
}

/** What one answer may take: time, and points that are in memory at once. */
class Effort {
  private readonly budget = new Budget(readMs)
  private left = mostHeld
  wasEnough = true

  isSpent(): boolean {
    if (this.budget.isSpent()) this.wasEnough = false
    return !this.wasEnough
  }

  /**
   * @param bytes of each where it lies
   * @returns whether there is room for more points of this series
   */
  hold(samples: readonly Sample[], bytes = 0): boolean {
    for (const { extra } of samples) this.left -= extra === undefined ? 1 : Math.max(heldByExtra, bytes / 50)
    if (this.left < 0) this.wasEnough = false
    return this.left >= 0
  }

  /** The points of a series have become an answer. */
  release(): void {
    if (this.left >= 0) this.left = mostHeld
  }
}

/** Distributions as they were sent, the newest of each series, as far as there is room. */
class WholeDistributions {
  private left = mostNumbers

  of(samples: readonly Sample[]): MetricSeries['series'][number]['distributions'] {
    const shown: MetricSeries['series'][number]['distributions'] = []
    for (const { at, extra } of samples.toReversed()) {
      if (extra?.distribution === undefined) continue
      const { zeroCount, zeroThreshold, ...rest } = extra.distribution
      const { counts, positive, negative, quantiles } = rest
      this.left -= 10
      for (const list of [counts, positive?.counts, negative?.counts, quantiles]) this.left -= (list?.length ?? 0) * 2
      if (this.left < 0) break
      const zeros = zeroCount === undefined ? {} : { zero_count: zeroCount, zero_threshold: zeroThreshold ?? 0 }
      shown.push({ at, ...rest, ...zeros })
    }
    return shown.toReversed()
  }
}

/** The newest of what was measured in a trace. */
function exemplarsOf(samples: readonly Sample[], most: number): MetricSeries['series'][number]['exemplars'] {
  const all: Exemplar[] = []
  for (let at = samples.length - 1; at >= 0 && all.length < most; at--) {
    all.push(...((samples[at] as Sample).extra?.exemplars ?? []).slice(0, most - all.length))
  }
  return all.map(({ time, value, traceId, spanId, attributes }) => ({
    timestamp: isoOf(time),
    value: value === null || !Number.isFinite(Number(value)) ? null : Number(value),
    trace_id: traceId === '' ? null : traceId,
    span_id: spanId === '' ? null : spanId,
    attributes: objectOfAttributes(attributes),
  }))
}

/** Each point once, in the order of time; of older ranges stretches that were put together, and what is not yet. */
async function samplesOf(
  archive: Archive,
  search: MetricSearch,
  series: KnownSeries,
  waiting: Sample[],
  effort: Effort,
): Promise<Sample[]> {
  const isRaw = search.from >= search.now - rawDays * dayMs
  const rolled = isRaw || effort.isSpent() ? [] : await rolledUp(archive, search, series)
  const packed = rolled.length > 0 || effort.isSpent() ? [] : await packedSamples(archive, search, series.id, effort)
  effort.release()
  const all = waiting.concat(rolled, packed).sort((a, b) => a.at - b.at)
  return all.filter(isNew)
}

/** Points that are not packed by series yet, the newest first; those of all series lie together. */
async function inboxSamples(
  archive: Archive,
  { app_id, from, to }: MetricSearch,
  wanted: KnownSeries[],
  effort: Effort,
): Promise<Map<number, Sample[]>> {
  const samples = new Map<number, Sample[]>(wanted.map(({ id }) => [id, []]))
  const ids = new Set(samples.keys())
  for (const { db, day } of ids.size === 0 ? [] : await archive.allPoints()) {
    for (let id = Number.MAX_SAFE_INTEGER; ; ) {
      const rows = await db.all(pointsDay(day).inboxOf, { app_id, id, limit: rowsAtOnce })
      for (const { data } of rows) {
        const found: Sample[] = []
        const bytes = eachInboxPoint(data, ids, (series, sample) => {
          if (sample.at < from || sample.at > to) return
          found.push(sample)
          samples.get(series)?.push(sample)
        })
        if (!effort.hold(found, bytes) || effort.isSpent()) return samples
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < rowsAtOnce) break
      id = last.id
    }
  }
  return samples
}

/** Points of one series, the newest first. */
async function packedSamples(
  archive: Archive,
  { app_id, from, to }: MetricSearch,
  series_id: number,
  effort: Effort,
): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const { db, day } of await archive.allPoints()) {
    const range = { app_id, series_id, from: Math.floor(from / hourMs), to: Math.floor(to / hourMs), limit: mostChunks }
    const rows = await db.all(pointsDay(day).chunksOf, range)
    if (rows.length === mostChunks) effort.wasEnough = false
    for (const { data } of rows) {
      const found = unpackSamples(data).filter(({ at }) => at >= from && at <= to)
      for (const sample of found) samples.push(sample)
      if (!effort.hold(found) || effort.isSpent()) return samples
    }
  }
  return samples
}

/** What was read twice while it was packed is one point. */
const isNew = (sample: Sample, index: number, all: Sample[]): boolean => {
  const before = all[index - 1]
  return before === undefined || before.at !== sample.at || !Object.is(before.value, sample.value)
}

/** What is left of points that are not kept any more: as if each stretch had been one point, or a few. */
async function rolledUp(archive: Archive, search: MetricSearch, { id, about }: KnownSeries): Promise<Sample[]> {
  const { app_id, from, to, now } = search
  const level = rollupLevels.find(({ days }) => from >= now - days * dayMs) ?? rollupLevels.at(-1)
  if (level === undefined) return []
  const { resolution, rowMs } = level
  const range = { from: Math.floor(from / rowMs), to: Math.floor(to / rowMs) }
  const rows = await archive.metrics.all(metricRollups, { app_id, ids: [id], resolution, ...range })
  return rows.flatMap(({ data }) => {
    const summaries = unpackSummaries(data).summaries.filter(({ at }) => at >= from - level.stepMs && at <= to)
    return summaries.map(summary => sampleOf(about, summary, search.stat))
  })
}

/** The number of a stretch that answers for it. */
function sampleOf({ type, temporality }: About, summary: Summary, stat: MetricSearch['stat']): Sample {
  const { at, count, sum, min, max, last, distribution } = summary
  const isDelta = type === 'sum' && temporality === 1
  const values: Record<string, number> = { min, max, sum, avg: count === 0 ? Number.NaN : sum / count, count }
  const value = values[stat ?? ''] ?? (isDelta ? sum : last)
  return { at, value, extra: distribution === undefined ? undefined : { distribution } }
}
