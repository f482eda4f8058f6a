import type { OutcomeStatus } from '@watchpost/contract'
import {
  countTime,
  decodeHistogram,
  emptyHistogram,
  type Histogram,
  mergeHistograms,
  writeHistogram,
} from './histogram.ts'
import { BadBytesError, VarintReader, writeVarint } from './varint.ts'

/** Stretches that checks are counted in; the names are those of the wire. */
export const resolutions = ['5m', '1h', '1d'] as const
export type Resolution = (typeof resolutions)[number]

export const resolutionMs: Record<Resolution, number> = { '5m': 300_000, '1h': 3_600_000, '1d': 86_400_000 }

/** How a resolution is stored: two bits instead of seconds. */
export const storedResolution: Record<Resolution, number> = { '5m': 0, '1h': 1, '1d': 2 }

/** What a rollup is of, as it is stored: monitor and resolution in one number. */
export function seriesOf(monitor_id: number, resolution: Resolution): number {
  return monitor_id * 4 + storedResolution[resolution]
}

/** Counts of the checks of one stretch of time. What adds to it makes another, but for those that are open. */
export interface Rollup {
  /** Number of the stretch: stretches of its resolution since 1970. */
  bucket: number
  up: number
  down: number
  /** The probe could not look: neither up nor down. */
  errors: number
  /** Checks during planned maintenance: neither up nor down, whatever they saw. */
  maintenance: number
  response_us_sum: number
  response_count: number
  histogram: Histogram
}

export interface CountedCheck {
  status: OutcomeStatus
  response_time_ms: number | null
  /** Whether it fell into planned maintenance. */
  planned: boolean
}

/** Number of the stretch that a moment lies in. */
export function bucketOf(at: number, resolution: Resolution): number {
  return Math.floor(at / resolutionMs[resolution])
}

/** When a stretch begins, epoch ms. */
export function bucketStart(bucket: number, resolution: Resolution): number {
  return bucket * resolutionMs[resolution]
}

export function emptyRollup(bucket: number): Rollup {
  return {
    bucket,
    up: 0,
    down: 0,
    errors: 0,
    maintenance: 0,
    response_us_sum: 0,
    response_count: 0,
    histogram: emptyHistogram,
  }
}

/** A rollup that is being counted. */
export interface OpenRollup extends Rollup {
  histogram: Map<number, number>
}

/** A copy that can be counted on, or an empty one. */
export function openRollup(rollup: Rollup | number): OpenRollup {
  const counts = typeof rollup === 'number' ? emptyRollup(rollup) : rollup
  return { ...counts, histogram: new Map(counts.histogram) }
}

/** Counts one more check, in place. */
export function countCheck(rollup: OpenRollup, { status, response_time_ms, planned }: CountedCheck): void {
  if (planned) rollup.maintenance++
  else if (status === 'error') rollup.errors++
  else {
    if (status === 'online') rollup.up++
    else rollup.down++
    if (response_time_ms === null) return
    const us = Math.round(response_time_ms * 1000)
    rollup.response_us_sum += us
    rollup.response_count++
    countTime(rollup.histogram, us)
  }
}

/** The rollup with one more check. */
export function addCheck(rollup: Rollup, check: CountedCheck): Rollup {
  const more = openRollup(rollup)
  countCheck(more, check)
  return more
}

/** The sum of rollups, as one of the stretch `bucket`; the order and the grouping do not matter. */
export function mergeRollups(bucket: number, rollups: readonly Rollup[]): Rollup {
  const sum = emptyRollup(bucket)
  for (const each of rollups) {
    sum.up += each.up
    sum.down += each.down
    sum.errors += each.errors
    sum.maintenance += each.maintenance
    sum.response_us_sum += each.response_us_sum
    sum.response_count += each.response_count
  }
  sum.histogram = mergeHistograms(rollups.map(each => each.histogram))
  return sum
}

/**
 * Coarser rollups from finer ones, oldest first. It makes them anew from all that is below them, so doing it twice
 * changes nothing.
 */
export function derive(finer: readonly Rollup[], from: Resolution, to: Resolution): Rollup[] {
  const ratio = resolutionMs[to] / resolutionMs[from]
  const groups = Map.groupBy(finer, ({ bucket }) => Math.floor(bucket / ratio))
  return [...groups].sort(([a], [b]) => a - b).map(([bucket, parts]) => mergeRollups(bucket, parts))
}

/**
 * Hours and days that are over, from five minutes.
 * @param hours the hours before `fives` that are of the same day
 * @param upTo the first hour that is not over
 */
export function rollUp(hours: readonly Rollup[], fives: readonly Rollup[], upTo: number) {
  const made = derive(fives, '5m', '1h')
  const today = Math.floor(upTo / 24) * 24
  const closed = [...hours, ...made].filter(({ bucket }) => bucket < today)
  return { hours: made, days: derive(closed, '1h', '1d') }
}

/** Buckets of one resolution, `to` not among them. */
export interface RollupSpan {
  resolution: Resolution
  from: number
  to: number
}

/**
 * Where to read everything that was counted between two moments: what is rolled up from its own resolution, and the
 * rest, the open hour or day above all, from the finer ones. Buckets at the ends count whole.
 * @param rolledTo hours before this one are rolled up, and so are the days that they fill
 */
export function spansOf(resolution: Resolution, from: number, to: number, rolledTo: number): RollupSpan[] {
  const first = bucketOf(from, resolution)
  const end = bucketOf(to - 1, resolution) + 1
  const spans: RollupSpan[] = []
  let start = bucketStart(first, resolution)
  for (const finer of resolutions.slice(0, resolutions.indexOf(resolution) + 1).reverse()) {
    // Five minutes are always there; a coarser bucket once the hours that fill it are rolled up.
    const upTo = finer === '5m' ? Number.POSITIVE_INFINITY : bucketOf(bucketStart(rolledTo, '1h'), finer)
    const span = {
      resolution: finer,
      from: bucketOf(start, finer),
      to: Math.min(upTo, bucketOf(bucketStart(end, resolution), finer)),
    }
    if (span.from >= span.to) continue
    spans.push(span)
    start = bucketStart(span.to, finer)
  }
  return spans
}

/** A rollup as bytes: its counts, then its histogram. */
export function encodeRollup(rollup: Rollup): Uint8Array {
  const { bucket, up, down, errors, maintenance, response_us_sum, response_count, histogram } = rollup
  const bytes: number[] = []
  for (const count of [bucket, up, down, errors, maintenance, response_us_sum, response_count]) {
    writeVarint(bytes, count)
  }
  writeHistogram(bytes, histogram)
  return new Uint8Array(bytes)
}

/** @throws {BadBytesError} for bytes that {@link encodeRollup} does not write */
export function decodeRollup(bytes: Uint8Array): Rollup {
  const reader = new VarintReader(bytes)
  const counts = {
    bucket: reader.next(),
    up: reader.next(),
    down: reader.next(),
    errors: reader.next(),
    maintenance: reader.next(),
    response_us_sum: reader.next(),
    response_count: reader.next(),
  }
  const histogram = decodeHistogram(reader.rest())
  let times = 0
  for (const count of histogram.values()) times += count
  if (times !== counts.response_count)
    throw new BadBytesError('a rollup counts other response times than its histogram')
  return { ...counts, histogram }
}
