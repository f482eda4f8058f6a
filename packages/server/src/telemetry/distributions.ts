import type { Buckets, Distribution } from '../ingest/rows.ts'

/** Buckets that two exponential histograms may span together; beyond it, and beyond such scales, they are not added up. */
const mostBuckets = 20_000
const mostScales = 40

/** Two of the same kind that follow each other; what cannot be added up is the later. */
export function mergeDistributions(earlier: Distribution, later: Distribution): Distribution {
  return combined(earlier, later, 1) ?? later
}

/** Of those that follow each other, where there is any. */
export function together(...all: (Distribution | undefined)[]): Distribution | undefined {
  const known = all.filter(each => each !== undefined)
  return known.length === 0 ? undefined : known.reduce(mergeDistributions)
}

/**
 * What was added since an earlier one of those that are counted on and on.
 * @returns the later where it has begun anew
 */
export function distributionSince(earlier: Distribution, later: Distribution): Distribution {
  const since = later.count < earlier.count ? undefined : combined(earlier, later, -1)
  const isLess = since === undefined || [...(since.counts ?? []), since.zeroCount ?? 0].some(count => count < 0)
  if (isLess || isBelow(since.positive) || isBelow(since.negative)) return later
  // The least and the most are of all the time.
  return { ...since, min: null, max: null }
}

const isBelow = (buckets: Buckets | undefined): boolean => buckets?.counts.some(count => count < 0) === true

function combined(a: Distribution, b: Distribution, sign: 1 | -1): Distribution | undefined {
  const counts = {
    count: b.count + sign * a.count,
    sum: a.sum === null || b.sum === null ? null : b.sum + sign * a.sum,
  }
  const edges = { min: edge(Math.min, a.min, b.min), max: edge(Math.max, a.max, b.max) }
  if (b.quantiles !== undefined) return { ...b, ...counts }
  if (b.scale !== undefined) {
    const buckets = exponential(a, b, sign)
    return buckets && { ...b, ...counts, ...edges, ...buckets }
  }
  const same = JSON.stringify(a.bounds) === JSON.stringify(b.bounds) && a.counts?.length === b.counts?.length
  if (!same || a.counts === undefined || b.counts === undefined) return undefined
  const before = a.counts
  return { ...b, ...counts, ...edges, counts: b.counts.map((count, at) => count + sign * (before[at] as number)) }
}

function edge(pick: (...of: number[]) => number, ...of: (number | null | undefined)[]): number | null {
  const known = of.filter(value => value != null)
  return known.length === 0 ? null : pick(...known)
}

/** In the buckets of the coarser, into which those of the finer fall whole. */
function exponential(a: Distribution, b: Distribution, sign: 1 | -1) {
  const scale = Math.min(a.scale ?? 0, b.scale ?? 0)
  const [byA, byB] = [(a.scale ?? 0) - scale, (b.scale ?? 0) - scale]
  if (byA > mostScales || byB > mostScales) return undefined
  const positive = added(coarser(a.positive, byA), coarser(b.positive, byB), sign)
  const negative = added(coarser(a.negative, byA), coarser(b.negative, byB), sign)
  if (positive === undefined || negative === undefined) return undefined
  const zeroThreshold = Math.max(a.zeroThreshold ?? 0, b.zeroThreshold ?? 0)
  return { scale, zeroCount: (b.zeroCount ?? 0) + sign * (a.zeroCount ?? 0), zeroThreshold, positive, negative }
}

const noBuckets: Buckets = { offset: 0, counts: [] }

function coarser({ offset, counts }: Buckets = noBuckets, by: number): Buckets {
  if (by === 0 || counts.length === 0) return { offset, counts }
  const width = 2 ** by
  const first = Math.floor(offset / width)
  const sums: number[] = []
  for (const [at, count] of counts.entries()) {
    const place = Math.floor((offset + at) / width) - first
    sums[place] = (sums[place] ?? 0) + count
  }
  return { offset: first, counts: sums }
}

function added(a: Buckets, b: Buckets, sign: 1 | -1): Buckets | undefined {
  if (a.counts.length === 0) return b
  const offset = b.counts.length === 0 ? a.offset : Math.min(a.offset, b.offset)
  const end = Math.max(a.offset + a.counts.length, b.offset + b.counts.length)
  if (end - offset > mostBuckets) return undefined
  const counts = Array.from({ length: end - offset }, () => 0)
  for (const [at, count] of b.counts.entries()) counts[b.offset - offset + at] = count
  for (const [at, count] of a.counts.entries()) {
    const place = a.offset - offset + at
    counts[place] = (counts[place] as number) + sign * count
  }
  return { offset, counts }
}
