import { query } from './query.ts'

/** The latest heartbeat of a probe; `host` and `work` are JSON objects. */
export interface HeartbeatRow {
  at: number
  started_at: number | null
  host: string
  work: string
}

export const putHeartbeat = query(
  'heartbeat.put',
  `insert into heartbeats (team_id, probe_id, at, started_at, host, work)
   values (@team_id, @probe_id, @at, @started_at, @host, @work)
   on conflict (team_id, probe_id) do update set at = excluded.at, started_at = excluded.started_at,
     host = excluded.host, work = excluded.work`,
)

export const heartbeatOf = query<HeartbeatRow>(
  'heartbeat.ofProbe',
  'select at, started_at, host, work from heartbeats where probe_id = @probe_id',
)

export const deleteHeartbeat = query('heartbeat.delete', 'delete from heartbeats where probe_id = @probe_id')

/** What is counted of a machine; each is a count, a sum and the highest. */
const hostFigures = ['cpu', 'memory', 'disk', 'load'] as const
type HostFigure = (typeof hostFigures)[number]

export type HostMetricsRow = { bucket: number } & Record<`${HostFigure}_${'count' | 'sum' | 'max'}`, number>

const columns = hostFigures.flatMap(name => [`${name}_count`, `${name}_sum`, `${name}_max`])
const added = hostFigures.flatMap(name => [
  `${name}_count = host_metrics.${name}_count + excluded.${name}_count`,
  `${name}_sum = host_metrics.${name}_sum + excluded.${name}_sum`,
  `${name}_max = case when excluded.${name}_max > host_metrics.${name}_max then excluded.${name}_max
    else host_metrics.${name}_max end`,
])

/** Adds one heartbeat: one that comes twice makes no other average worth speaking of. */
export const addHostMetrics = query(
  'hostMetrics.add',
  `insert into host_metrics (series, bucket, ${columns.join(', ')})
   values (@series, @bucket, ${columns.map(name => `@${name}`).join(', ')})
   on conflict (series, bucket) do update set ${added.join(', ')}`,
)

/** Oldest first. */
export const hostMetricsOf = query<HostMetricsRow>(
  'hostMetrics.ofMonitor',
  `select bucket, ${columns.join(', ')} from host_metrics
   where series = @series and bucket >= @from and bucket < @to
   order by bucket`,
)
