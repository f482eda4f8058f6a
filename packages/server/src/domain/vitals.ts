/** Up to the first it is good, beyond the second poor (web.dev); milliseconds, but of CLS. */
export const vitalLimits: Record<string, readonly [number, number]> = {
  CLS: [0.1, 0.25],
  FCP: [1800, 3000],
  FID: [100, 300],
  INP: [200, 500],
  LCP: [2500, 4000],
  TTFB: [800, 1800],
}

/** Values, and how often each was seen. */
export type Spread = Map<number, number>

/** The smallest value that this share of all do not exceed (nearest rank), for each share; undefined of nothing. */
export function percentiles(spread: Spread, shares: readonly number[]): number[] | undefined {
  const sorted = [...spread].toSorted(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return undefined
  return shares.map(share => {
    let left = Math.max(1, Math.ceil(share * total))
    for (const [value, count] of sorted) {
      left -= count
      if (left <= 0) return value
    }
    return (sorted.at(-1) as [number, number])[0]
  })
}

/** Shares of all that were good, poor and between, which add up to 1. */
export function ratings(name: string, spread: Spread): { good: number; needs_improvement: number; poor: number } {
  const [good, poor] = vitalLimits[name] ?? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const counts = { good: 0, needs_improvement: 0, poor: 0 }
  let total = 0
  for (const [value, count] of spread) {
    counts[value <= good ? 'good' : value <= poor ? 'needs_improvement' : 'poor'] += count
    total += count
  }
  const share = (count: number) => Math.round((count / Math.max(1, total)) * 10_000) / 10_000
  return { good: share(counts.good), needs_improvement: share(counts.needs_improvement), poor: share(counts.poor) }
}
