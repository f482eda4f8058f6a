import type { MetricSeries } from '@watchpost/contract'

type Series = MetricSeries['series']

/** Lines that share their times, as a chart takes them. */
export interface Joined {
  /** Epoch seconds. */
  times: number[]
  lines: { label: string; values: (number | null)[] }[]
}

/**
 * Puts series on one axis of time. Labels say only what tells the series apart: what all of them have in common is said
 * once, elsewhere.
 */
export function joined(series: Series): Joined {
  const at = [...new Set(series.flatMap(({ points }) => points.map(([time]) => time as number)))].sort((a, b) => a - b)
  const place = new Map(at.map((time, index) => [time, index]))
  const labels = labelsOf(series)
  const lines = series.map(({ points }, index) => {
    const values: (number | null)[] = at.map(() => null)
    for (const [time, value] of points)
      values[place.get(time as number) as number] = value == null ? null : Number(value)
    return { label: labels[index] as string, values }
  })
  return { times: at.map(time => time / 1000), lines }
}

/** The attributes that all series have alike. */
export function common(series: Series): Record<string, unknown> {
  const [first] = series
  if (first === undefined) return {}
  return Object.fromEntries(
    Object.entries(first.attributes).filter(([key, value]) => series.every(each => each.attributes[key] === value)),
  )
}

function labelsOf(series: Series): string[] {
  const same = common(series)
  return series.map(({ attributes }) => {
    const own = Object.entries(attributes).filter(([key]) => !(key in same))
    if (own.length === 0) return String(attributes['service.name'] ?? 'value')
    if (own.length === 1) return String(own[0]?.[1])
    return own.map(([key, value]) => `${key}=${value}`).join(' ')
  })
}
