import type { Distribution } from '../ingest/rows.ts'
import { pack, unpack } from './block.ts'
import { mergeDistributions } from './distributions.ts'
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
}

const isDelta = ({ temporality }: About): boolean => temporality === 1

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
    }
  })
  return all.reduce((a, b) => mergeSummaries(about, a, b))
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
  }
}

/** Summaries of a row, and up to where the inbox is in them. */
export interface SummaryRow {
  mark: number
  summaries: Summary[]
}

export function packSummaries({ mark, summaries }: SummaryRow): Buffer {
  const rows = summaries.map(({ at, count, sum, min, max, lastAt, last, distribution }) => {
    const row = [at, count, sum, min, max, lastAt, last]
    return distribution === undefined ? row : [...row, distribution]
  })
  return pack(JSON.stringify([mark, ...rows]))
}

export function unpackSummaries(packed: Uint8Array): SummaryRow {
  const [mark, ...rows] = JSON.parse(unpack(packed).toString('utf8'))
  const summaries = rows.map((row: [number, number, number, number | null, number | null, number, number | null]) => {
    const [at, count, sum, min, max, lastAt, last, distribution] = row as unknown[]
    return {
      at,
      count,
      sum,
      min: min ?? Number.POSITIVE_INFINITY,
      max: max ?? Number.NEGATIVE_INFINITY,
      lastAt,
      last: last ?? Number.NaN,
      distribution,
    } as Summary
  })
  return { mark, summaries }
}
