import type { Metrics } from '@watchpost/contract'
import type { Column } from '../table.ts'
import type { View } from '../view.ts'
import { hostColumns } from './hosts.ts'
import { milliseconds, percent } from './monitors.ts'
import { moment } from './time.ts'

type Point = Metrics['series'][number]

const columns: Column<Point>[] = [
  { title: 'AT', cell: ({ at }) => moment(at), moment: true },
  { title: 'UPTIME', cell: ({ uptime }) => percent(uptime), tone: uptimeTone, right: true },
  { title: 'COVERAGE', cell: ({ coverage }) => percent(coverage), right: true, optional: 2 },
  { title: 'AVERAGE', cell: ({ average }) => milliseconds(average), right: true, optional: 1 },
  { title: 'P50', cell: ({ p50 }) => milliseconds(p50), right: true },
  { title: 'P95', cell: ({ p95 }) => milliseconds(p95), right: true },
  { title: 'P99', cell: ({ p99 }) => milliseconds(p99), right: true, optional: 1 },
  { title: 'CHECKS', cell: ({ checks }) => String(checks), right: true, optional: 3 },
]

/** What nobody watched has nothing to show; `coverage` says that it is there. */
export const metricsView: View<Metrics> = {
  singular: 'metrics',
  plural: 'metrics',
  name: metrics => String(metrics.monitor_id),
  columns: [],
  parts: [
    { field: 'series', columns, rows: ({ series }) => series.filter(({ checks }) => checks > 0) },
    // Of server monitors.
    { field: 'host', columns: hostColumns, rows: ({ host }) => host ?? [] },
  ],
}

function uptimeTone({ uptime }: Point) {
  if (uptime === null) return 'dim'
  return uptime === 100 ? 'good' : 'bad'
}
