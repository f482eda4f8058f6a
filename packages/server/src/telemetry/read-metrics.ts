import type { MetricQuery, MetricSeries, MetricSummary } from '@watchpost/contract'
import { metricNames, metricSeries, metricSeriesByIds } from '@watchpost/store'
import type { Exemplar } from '../ingest/rows.ts'
import type { Archive } from './archive.ts'
import type { Slice } from './ask.ts'
import { objectOfAttributes } from './block.ts'
import { type About, isLong, type Sample } from './points.ts'
import { Effort, inboxSamples, samplesOf } from './read-samples.ts'
import { isoOf } from './read-trace.ts'
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
  let isCut = false
  const whole = new WholeDistributions()
  for (const each of shown) {
    const samples = await samplesOf(archive, search, each, waiting.get(each.id) ?? [], effort)
    const points = pointsOf(each.about, samples, { from, to, stepMs: step * 1000, stat: search.stat })
    if (points.length === 0) continue
    if (points.length > mostPoints) isCut = true
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
  return { name: search.name, type, unit, step, complete: effort.wasEnough && all && !isCut, series }
}

const temporalities = ['unspecified', 'delta', 'cumulative']

/** Where none has the attributes that are asked for: what they would be of. */
async function anyOf(archive: Archive, { app_id, name }: MetricSearch): Promise<KnownSeries> {
  const { series } = await readSeries(archive, { app_id, name, service: undefined, attributes: [] })
  return series[0] as KnownSeries
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
    value: typeof value === 'string' && !isLong(value) ? null : value,
    trace_id: traceId === '' ? null : traceId,
    span_id: spanId === '' ? null : spanId,
    attributes: objectOfAttributes(attributes),
  }))
}
