import type { Distribution } from '../ingest/rows.ts'
import { pack, unpack } from './block.ts'
import { countOf, isCounter, isDelta } from './counters.ts'
import { mergeDistributions, together } from './distributions.ts'
import type { About, Sample } from './points.ts'

/** Points of a stretch of time, put together. */
export interface Summary {
  /** When the stretch begins, epoch ms. */
  at: number
  /** Of points that are numbers. */
  count: number
  sum: number
  min: number
  max: number
  /** When the last of them was, and what it said. */
  lastAt: number
  last: number
  /** Of the other kinds: the last, or of such that tell only what is new, all together. */
  distribution: Distribution | undefined
  /** Of what is counted on and on. Earlier releases did not keep it. */
  counter: Counter | undefined
}

/** How a counter went through a stretch, but for what it said last: with both, nothing is lost where it has begun anew. */
export interface Counter {
  /** The first that it said, and when. */
  firstAt: number
  first: number
  /** What it had come to each time that it then began anew, together. */
  ended: number
  endedDistribution: Distribution | undefined
}

/** @param samples in the order of time, at least one */
export function summaryOf(about: About, at: number, samples: readonly Sample[]): Summary {
  const all = samples.map(sample => {
    const { value, extra } = sample
    const isNumber = !Number.isNaN(value)
    return {
      at,
      count: isNumber ? 1 : 0,
      sum: isNumber ? value : 0,
      min: isNumber ? value : Number.POSITIVE_INFINITY,
      max: isNumber ? value : Number.NEGATIVE_INFINITY,
      lastAt: sample.at,
      last: value,
      distribution: extra?.distribution,
      counter: counterOf(about, sample),
    }
  })
  return all.reduce((a, b) => mergeSummaries(about, a, b))
}

function counterOf(about: About, sample: Sample): Counter | undefined {
  const first = countOf(about, sample)
  if (!isCounter(about) || Number.isNaN(first)) return undefined
  return { firstAt: sample.at, first, ended: 0, endedDistribution: undefined }
}

export function mergeSummaries(about: About, a: Summary, b: Summary): Summary {
  const [first, later] = a.lastAt <= b.lastAt ? [a, b] : [b, a]
  const both = first.distribution !== undefined && later.distribution !== undefined && isDelta(about)
  return {
    at: a.at,
    count: a.count + b.count,
    sum: a.sum + b.sum,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
    lastAt: later.lastAt,
    last: Number.isNaN(later.last) ? first.last : later.last,
    distribution: both
      ? mergeDistributions(first.distribution as Distribution, later.distribution as Distribution)
      : (later.distribution ?? first.distribution),
    counter: mergeCounters(first, later),
  }
}

/** @param later the one whose last point is later; where points came late it may have begun before the other */
function mergeCounters(earlier: Summary, later: Summary): Counter | undefined {
  const [a, b] = [earlier.counter, later.counter]
  if (a === undefined || b === undefined) return a ?? b
  // What is in the midst of the other is in what that has counted.
  if (b.firstAt <= a.firstAt) return b
  const last = earlier.distribution?.count ?? earlier.last
  const hasEnded = b.firstAt >= earlier.lastAt && b.first < last
  return {
    firstAt: a.firstAt,
    first: a.first,
    ended: a.ended + (hasEnded ? last : 0) + b.ended,
    endedDistribution: together(a.endedDistribution, hasEnded ? earlier.distribution : undefined, b.endedDistribution),
  }
}

/** Summaries of a row, and up to where the inbox is in them. */
export interface SummaryRow {
  mark: number
  summaries: Summary[]
}

export function packSummaries({ mark, summaries }: SummaryRow): Buffer {
  const rows = summaries.map(({ at, count, sum, min, max, lastAt, last, distribution, counter }) => {
    const row = [at, count, sum, min, max, lastAt, last]
    if (counter === undefined) return distribution === undefined ? row : [...row, distribution]
    const { firstAt, first, ended, endedDistribution } = counter
    return [...row, distribution ?? null, firstAt, first, ended, ...(endedDistribution ? [endedDistribution] : [])]
  })
  return pack(JSON.stringify([mark, ...rows]))
}

export function unpackSummaries(packed: Uint8Array): SummaryRow {
  const [mark, ...rows] = JSON.parse(unpack(packed).toString('utf8'))
  return { mark, summaries: rows.map(unpackSummary) }
}

type PackedSummary = [
  at: number,
  count: number,
  sum: number,
  min: number | null,
  max: number | null,
  lastAt: number,
  last: number | null,
  distribution?: Distribution | null,
  firstAt?: number,
  first?: number,
  ended?: number,
  endedDistribution?: Distribution,
]

function unpackSummary(packed: PackedSummary): Summary {
  const [at, count, sum, min, max, lastAt, last, distribution, firstAt, first = 0, ended = 0, endedDistribution] =
    packed
  return {
    at,
    count,
    sum,
    min: min ?? Number.POSITIVE_INFINITY,
    max: max ?? Number.NEGATIVE_INFINITY,
    lastAt,
    last: last ?? Number.NaN,
    distribution: distribution ?? undefined,
    counter: firstAt === undefined ? undefined : { firstAt, first, ended, endedDistribution },
  }
}
