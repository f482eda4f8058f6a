import type { Distribution } from '../ingest/rows.ts'

/** A quantile as it can be told from buckets: evenly spread within one. */
export function quantileOf(distribution: Distribution, quantile: number): number | null {
  const { bounds, counts, quantiles, scale, count } = distribution
  if (quantiles !== undefined) return nearest(quantiles, quantile)
  if (count === 0) return null
  if (scale !== undefined) return exponential(distribution, scale, quantile)
  if (bounds === undefined || counts === undefined || counts.length === 0) return null
  const edges = [distribution.min ?? bounds[0] ?? 0, ...bounds, distribution.max ?? bounds.at(-1) ?? 0]
  return within(
    counts.map((size, index) => ({ from: edges[index] ?? 0, to: edges[index + 1] ?? 0, size })),
    quantile,
  )
}

function nearest(quantiles: [number, number | null][], wanted: number): number | null {
  const sorted = quantiles.toSorted((a, b) => Math.abs(a[0] - wanted) - Math.abs(b[0] - wanted))
  return sorted[0]?.[1] ?? null
}

function exponential(distribution: Distribution, scale: number, quantile: number): number | null {
  const { positive, negative, zeroCount = 0 } = distribution
  const edge = (index: number) => 2 ** (index * 2 ** -scale)
  const below = (negative?.counts ?? []).map((size, index) => {
    const at = (negative?.offset ?? 0) + index
    return { from: -edge(at + 1), to: -edge(at), size }
  })
  const above = (positive?.counts ?? []).map((size, index) => {
    const at = (positive?.offset ?? 0) + index
    return { from: edge(at), to: edge(at + 1), size }
  })
  return within([...below.toReversed(), { from: 0, to: 0, size: zeroCount }, ...above], quantile)
}

function within(buckets: { from: number; to: number; size: number }[], quantile: number): number | null {
  const all = buckets.reduce((sum, { size }) => sum + size, 0)
  let rank = quantile * all
  for (const { from, to, size } of buckets) {
    if (size > 0 && rank <= size) return from + (to - from) * (rank / size)
    rank -= size
  }
  return null
}
