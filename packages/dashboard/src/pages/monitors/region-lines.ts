import type { Metrics, Timings } from '@watchpost/contract'

export type Region = NonNullable<Metrics['regions']>[number]
export type Percentile = 'p50' | 'p95' | 'p99'

/** In the order in which they happen. */
export const phases: Record<keyof Timings, string> = {
  resolve_ms: 'resolve',
  connect_ms: 'connect',
  tls_ms: 'TLS',
  first_byte_ms: 'first byte',
  transfer_ms: 'transfer',
}
export const phaseKeys = Object.keys(phases) as (keyof Timings)[]

const seconds = (at: string) => Date.parse(at) / 1000

/** The same percentile of all regions, on one axis of time (epoch seconds). */
export function sideBySide(regions: readonly Region[], percentile: Percentile) {
  const times = [...new Set(regions.flatMap(({ series }) => series.map(({ at }) => seconds(at))))].sort((a, b) => a - b)
  const lines = regions.map(({ region, series }) => {
    const known = new Map(series.map(point => [seconds(point.at), point[percentile]]))
    return { label: region, values: times.map(time => known.get(time) ?? null) }
  })
  return { times, lines }
}

/** One phase of a stack: how high it reaches, and how much of that is its own. */
export interface Layer {
  phase: keyof Timings
  tops: (number | null)[]
  own: (number | null)[]
}

/** Phases one upon the other, the last first, since what is below is drawn over it. What is hidden leaves no room. */
export function stacked({ series }: Region, hidden: ReadonlySet<string>): { times: number[]; layers: Layer[] } {
  const points = withGaps(
    series.flatMap(({ at, timings }) => (timings === null ? [] : [{ time: seconds(at), timings: timings as Timings }])),
  )
  const there = phaseKeys.filter(phase => points.some(({ timings }) => timings?.[phase] !== undefined))
  const sums = points.map(() => 0)
  const layers = there.map(phase => {
    const own = points.map(({ timings }) => (timings === null ? null : (timings[phase] ?? 0)))
    const tops = own.map((ms, at) => {
      if (ms === null) return null
      if (!hidden.has(phases[phase])) sums[at] = (sums[at] ?? 0) + ms
      return sums[at] ?? 0
    })
    return { phase, own, tops }
  })
  return { times: points.map(({ time }) => time), layers: layers.reverse() }
}

interface Point {
  time: number
  timings: Timings | null
}

/** Time in which nothing was seen is no slope between what was before and after. */
function withGaps(points: readonly Point[]): Point[] {
  const steps = points.slice(1).map(({ time }, at) => time - (points[at]?.time ?? 0))
  const usual = [...steps].sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0
  return points.flatMap((point, at) => {
    const step = steps[at]
    return step !== undefined && step > 3 * usual ? [point, { time: point.time + usual, timings: null }] : [point]
  })
}

/** What a phase takes on average, where it happens. */
export function meanOf({ series }: Region, phase: keyof Timings): number | null {
  const known = series.flatMap(({ timings }) => timings?.[phase] ?? [])
  return known.length === 0 ? null : known.reduce((sum, ms) => sum + ms, 0) / known.length
}
