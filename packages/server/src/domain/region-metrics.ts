import type { Metrics, MetricsResolution, Timings } from '@watchpost/contract'
import { type RawCheck, statisticsOf } from './metrics.ts'
import { phaseNames } from './phases.ts'
import { bucketOf, bucketStart } from './rollup.ts'
import { uptime } from './uptime.ts'

/** One check, and where it was made. */
export interface RegionCheck extends RawCheck {
  region: string
  timings?: Timings | undefined
}

type RegionMetrics = NonNullable<Metrics['regions']>[number]

/** The checks of each region as metrics of their own. @param checks oldest first */
export function metricsOfRegions(checks: readonly RegionCheck[], resolution: MetricsResolution): RegionMetrics[] {
  const regions = [...Map.groupBy(checks, each => each.region)].sort(([a], [b]) => (a < b ? -1 : 1))
  return regions.map(([region, own]) => {
    const points = Map.groupBy(own, ({ checked_at }) =>
      resolution === 'raw' ? checked_at : bucketStart(bucketOf(checked_at, resolution), resolution),
    )
    return {
      region,
      uptime: uptimeOf(own),
      checks: own.length,
      response_time_ms: statisticsOf(own),
      series: [...points]
        .sort(([a], [b]) => a - b)
        .map(([at, within]) => {
          const { average, p50, p95, p99 } = statisticsOf(within)
          const checks = within.length
          const timings = meanOf(within.flatMap(each => each.timings ?? []))
          return { at: new Date(at).toISOString(), uptime: uptimeOf(within), average, p50, p95, p99, checks, timings }
        }),
    } as RegionMetrics
  })
}

function uptimeOf(checks: readonly RegionCheck[]): number | null {
  const count = (word: string) => checks.filter(({ status }) => status === word).length
  return uptime(count('online'), count('offline'))
}

/** Each phase's mean; where only some have a phase it is that of those, since a kept connection needs no greeting. */
function meanOf(all: readonly Timings[]): Timings | null {
  if (all.length === 0) return null
  const mean: Timings = {}
  for (const name of phaseNames) {
    const known = all.flatMap(timings => timings[name] ?? [])
    if (known.length === 0) continue
    mean[name] = Math.round((known.reduce((sum, ms) => sum + ms, 0) / known.length) * 10) / 10
  }
  return mean
}
