import type { Metrics, MetricsResolution, monitorRoutes } from '@watchpost/contract'
import { type MonitorView, probesByIds } from '@watchpost/store'
import type { Context } from '../context.ts'
import {
  byErrors,
  fittingResolution,
  metricsOfChecks,
  metricsOfRollups,
  mostPoints,
  type Range,
  type RawCheck,
  rangeErrors,
  rangeOf,
  resolutionErrors,
  tooManyPoints,
} from '../domain/metrics.ts'
import { regionsOf } from '../domain/monitor-settings.ts'
import { metricsOfRegions } from '../domain/region-metrics.ts'
import { derive, spansOf } from '../domain/rollup.ts'
import { looksOf } from '../domain/uptime.ts'
import type { Ask } from '../http/handler.ts'
import { refuse } from '../http/validate.ts'
import { readChecks } from '../results/history.ts'
import { hostSeries } from './hosts.ts'
import { readSpan } from './rollups.ts'
import { iso } from './time.ts'

export async function readMetrics(
  { query, context }: Ask<typeof monitorRoutes.getMonitorMetrics>,
  row: MonitorView,
): Promise<Metrics> {
  const monitor = looksOf(row, regionsOf(JSON.parse(row.options))?.regions.length ?? 0)
  const now = context.now()
  const range = rangeOf(query, now)
  refuse(rangeErrors(range, now))
  const resolution = query.resolution ?? fittingResolution(range, monitor.interval_s, now)
  refuse(resolutionErrors(resolution, range, now))
  refuse(byErrors(query, range, now))
  // What came in this very moment is part of "until now".
  const whole = range.to === now ? { ...range, to: now + 1 } : range
  const told = await figuresOf(context, monitor, resolution, whole, query.resolution === undefined)
  const host = monitor.type === 'server' ? { host: await hostSeries(context, monitor.id, told.resolution, range) } : {}
  const regions =
    query.by === undefined ? {} : { regions: await regionMetrics(context, monitor, told.resolution, whole) }
  return { monitor_id: monitor.id, from: iso(range.from), to: iso(range.to), ...told, ...regions, ...host }
}

async function figuresOf(
  context: Context,
  monitor: MonitorView,
  resolution: MetricsResolution,
  range: Range,
  chosenByUs: boolean,
) {
  if (resolution === 'raw') {
    const checks = await rawChecks(context, monitor, range)
    if (checks.length <= mostPoints) return { resolution, ...metricsOfChecks(checks, range, monitor) }
    // Several probes, or repeats, make more of them than the interval says.
    if (!chosenByUs) refuse(tooManyPoints)
    return figuresOf(context, monitor, '5m', range, chosenByUs)
  }
  const spans = spansOf(resolution, range.from, range.to, monitor.rolled_to)
  const parts = await Promise.all(
    spans.map(async span => derive(await readSpan(context.db, monitor.id, span), span.resolution, resolution)),
  )
  return { resolution, ...metricsOfRollups(parts.flat(), resolution, range, monitor) }
}

async function rawChecks({ db, results }: Context, monitor: MonitorView, { from, to }: Range): Promise<RawCheck[]> {
  const checks = await readChecks(db, results.tables, monitor, from, to - 1)
  return checks.map(({ checked_at, status, response_us }) => {
    return { checked_at, status, response_time_ms: response_us === null ? null : response_us / 1000 }
  })
}

/** What each region saw. A check belongs to where its probe is now, as in the history. */
async function regionMetrics(
  { db, results }: Context,
  monitor: MonitorView,
  resolution: MetricsResolution,
  { from, to }: Range,
) {
  const checks = await readChecks(db, results.tables, monitor, from, to - 1)
  const ids = [...new Set(checks.map(each => each.probe_id))]
  const probes = ids.length === 0 ? [] : await db.all(probesByIds, { ids, team_id: monitor.team_id })
  const regions = new Map(probes.map(({ id, region }) => [id, region]))
  const placed = checks.map(({ checked_at, status, response_us, probe_id, timings }) => {
    const response_time_ms = response_us === null ? null : response_us / 1000
    return { checked_at, status, response_time_ms, timings, region: regions.get(probe_id) ?? 'default' }
  })
  return metricsOfRegions(placed, resolution)
}
