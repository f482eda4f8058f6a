import type { Host, HostPoint, MetricsResolution } from '@watchpost/contract'
import { heartbeatOf, hostMetricsOf } from '@watchpost/store'
import type { Context } from '../context.ts'
import { hostPoint, hostView } from '../domain/host.ts'
import type { Range } from '../domain/metrics.ts'
import { bucketOf, seriesOf } from '../domain/rollup.ts'
import { iso } from './time.ts'

/** The machine that a server monitor is about; nothing for other monitors. */
export async function hostOf(
  { db }: Pick<Context, 'db'>,
  { probe_id }: { probe_id: number | null },
): Promise<{ host?: Host | null }> {
  if (probe_id === null) return {}
  const row = await db.one(heartbeatOf, { probe_id })
  return { host: row === undefined ? null : hostView(JSON.parse(row.host), iso(row.at)) }
}

/** How a machine was, oldest first; no finer than five minutes. */
export async function hostSeries(
  { db }: Pick<Context, 'db'>,
  monitor_id: number,
  asked: MetricsResolution,
  { from, to }: Range,
): Promise<HostPoint[]> {
  const resolution = asked === 'raw' ? '5m' : asked
  const rows = await db.all(hostMetricsOf, {
    series: seriesOf(monitor_id, resolution),
    from: bucketOf(from, resolution),
    to: bucketOf(to - 1, resolution) + 1,
  })
  return rows.map(row => hostPoint(row, resolution))
}
