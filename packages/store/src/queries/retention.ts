import { query } from './query.ts'

/** Monitors by id, some at a time. */
export const monitorIds = query<{ id: number }>(
  'retention.monitors',
  'select id from monitors where id > @after order by id limit @limit',
)

/** Rollups of these monitors that begin before `@before`: found by key, whatever else is in the tables. */
export const dropRollups = ['rollups', 'histograms', 'host_metrics'].map(table =>
  query(
    `retention.${table}`,
    `delete from ${table} where monitor_id in (@ids...) and resolution = @resolution and bucket < @before`,
  ),
)
