import type { FieldErrors, Metrics, MetricsQuery, MetricsResolution, OutcomeStatus } from '@watchpost/contract'
import { percentiles } from './histogram.ts'
import { bucketOf, bucketStart, emptyRollup, mergeRollups, type Resolution, type Rollup } from './rollup.ts'
import { coverage, dayMs, uptime } from './uptime.ts'

/** Two moments, epoch ms; `to` is not among them. */
export interface Range {
  from: number
  to: number
}

/** What is measured: what its coverage is compared with. */
export interface Measured {
  created_at: number
  interval_s: number
}

/** One check, as much of it as metrics need. */
export interface RawCheck {
  checked_at: number
  status: OutcomeStatus
  response_time_ms: number | null
}

type Figures = Omit<Metrics, 'monitor_id' | 'from' | 'to' | 'resolution'>

const hourMs = 3_600_000
/** Days for which each resolution can be asked for. */
const kept: Record<MetricsResolution, number> = { raw: 7, '5m': 30, '1h': 90, '1d': 400 }
/** "Seven days ago" was said a while before we hear it; and nothing goes on the minute. */
const slackMs = hourMs
const longestDays = 400
export const mostPoints = 2000
/** What a chart can show: 42 hours of five minutes, 21 days of hours. */
const goodPoints = 504
/** Beyond this a chart of single checks hides the gaps between them. */
const longestRawMs = 6 * hourMs

/** The stretch of time that was asked for; nothing is known of the future. */
export function rangeOf({ from, to }: MetricsQuery, now: number): Range {
  const end = Math.min(to === undefined ? now : Date.parse(to), now)
  return { from: from === undefined ? end - dayMs : Date.parse(from), to: end }
}

/** What is wrong with it, by field. */
export function rangeErrors({ from, to }: Range, now: number): FieldErrors {
  if (from >= now) return { from: 'must be in the past' }
  if (from >= to) return { from: 'must be before to' }
  if (to - from > longestDays * dayMs) return { from: `must be at most ${longestDays} days before to` }
  if (!isKept('1d', from, now)) return { from: `must be within the last ${longestDays} days: nothing older is kept` }
  return {}
}

function isKept(resolution: MetricsResolution, from: number, now: number): boolean {
  return from >= now - kept[resolution] * dayMs - slackMs
}

/** Why these metrics cannot be told in this resolution, by field. */
export function resolutionErrors(resolution: MetricsResolution, range: Range, now: number): FieldErrors {
  if (!isKept(resolution, range.from, now)) {
    return { resolution: `${resolution} is kept for ${kept[resolution]} days; ask for a coarser one or a later from` }
  }
  if (resolution !== 'raw' && pointsOf(resolution, range) > mostPoints) return tooManyPoints
  return {}
}

/** Why the regions cannot be told apart in this time, by field: rollups are of all of them. */
export function byErrors({ by }: MetricsQuery, { from }: Range, now: number): FieldErrors {
  if (by === undefined || isKept('raw', from, now)) return {}
  return { by: `needs single checks, and they are kept for ${kept.raw} days; ask for a later from` }
}

export const tooManyPoints: FieldErrors = {
  resolution: `would give more than ${mostPoints} points; ask for a coarser one or a shorter time`,
}

function pointsOf(resolution: Resolution, { from, to }: Range): number {
  return bucketOf(to - 1, resolution) - bucketOf(from, resolution) + 1
}

/** The finest resolution that is kept and gives no more points than a chart can show. */
export function fittingResolution(range: Range, interval_s: number, now: number): MetricsResolution {
  const length = range.to - range.from
  const raw = length <= longestRawMs && length / (interval_s * 1000) <= goodPoints
  if (raw && isKept('raw', range.from, now)) return 'raw'
  const fits = (resolution: Resolution) =>
    isKept(resolution, range.from, now) && pointsOf(resolution, range) <= goodPoints + 1
  return (['5m', '1h'] as const).find(fits) ?? '1d'
}

/** Metrics from rollups of one resolution, which may have several for one bucket: parts of it. */
export function metricsOfRollups(
  rollups: readonly Rollup[],
  resolution: Resolution,
  range: Range,
  measured: Measured,
): Figures {
  const parts = Map.groupBy(rollups, each => each.bucket)
  const first = bucketOf(range.from, resolution)
  const end = first + pointsOf(resolution, range)
  const startOf = (bucket: number) => bucketStart(bucket, resolution)
  const series = Array.from({ length: end - first }, (_, index) => {
    const bucket = first + index
    const rollup = mergeRollups(bucket, parts.get(bucket) ?? [])
    const [p50, p95, p99] = timesOf(rollup, [0.5, 0.95, 0.99])
    const { uptime, coverage, checks } = seen(
      rollup,
      startOf(bucket),
      Math.min(startOf(bucket + 1), range.to),
      measured,
    )
    return { at: iso(startOf(bucket)), uptime, coverage, average: averageOf(rollup), p50, p95, p99, checks }
  })
  const all = mergeRollups(first, rollups)
  const [min, p50, p95, p99, max] = timesOf(all, [0, 0.5, 0.95, 0.99, 1])
  return {
    ...seen(all, startOf(first), range.to, measured),
    response_time_ms: { average: averageOf(all), p50, p95, p99, min, max },
    series,
  } as Figures
}

/** Metrics from single checks, oldest first: exact. */
export function metricsOfChecks(checks: readonly RawCheck[], range: Range, measured: Measured): Figures {
  const all = emptyRollup(0)
  for (const { status } of checks) all[status === 'online' ? 'up' : status === 'offline' ? 'down' : 'errors']++
  return {
    ...seen(all, range.from, range.to, measured),
    response_time_ms: statisticsOf(checks),
    series: checks.map(pointOf),
  }
}

/** Response times of single checks that found something: exact. */
export function statisticsOf(checks: readonly RawCheck[]): Metrics['response_time_ms'] {
  const times = checks.flatMap(({ status, response_time_ms }) => (status === 'error' ? [] : (response_time_ms ?? [])))
  times.sort((a, b) => a - b)
  const nearest = (share: number) => times[Math.max(1, Math.ceil(share * times.length)) - 1] ?? null
  const sum = times.reduce((total, time) => total + time, 0)
  return {
    average: times.length === 0 ? null : rounded(sum / times.length),
    p50: nearest(0.5),
    p95: nearest(0.95),
    p99: nearest(0.99),
    min: nearest(0),
    max: nearest(1),
  }
}

function pointOf({ checked_at, status, response_time_ms }: RawCheck): Metrics['series'][number] {
  const time = status === 'error' ? null : response_time_ms
  return {
    at: iso(checked_at),
    uptime: status === 'error' ? null : uptime(Number(status === 'online'), Number(status === 'offline')),
    coverage: status === 'error' ? 0 : 100,
    average: time,
    p50: time,
    p95: time,
    p99: time,
    checks: 1,
  }
}

function seen({ up, down, errors, maintenance }: Rollup, from: number, to: number, measured: Measured) {
  return {
    uptime: uptime(up, down),
    coverage: coverage(up + down + maintenance, from, measured, to),
    checks: up + down + errors + maintenance,
    up,
    down,
    errors,
    maintenance,
  }
}

function averageOf({ response_us_sum, response_count }: Rollup): number | null {
  return response_count === 0 ? null : rounded(response_us_sum / response_count / 1000)
}

function timesOf({ histogram }: Rollup, shares: readonly number[]): (number | null)[] {
  return percentiles(histogram, shares).map(time => (time === null ? null : rounded(time)))
}

/** To the microsecond. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
