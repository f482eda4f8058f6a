import { query } from './query.ts'

/** Monitors by id, some at a time. */
export const monitorIds = query<{ id: number }>(
  'retention.monitors',
  'select id from monitors where id > @after order by id limit @limit',
)

/** Rollups of these (monitor and resolution in one number) that begin before `@before`: found by key, whatever else is in the tables. */
export const dropRollups = ['rollups', 'histograms', 'host_metrics'].map(table =>
  query(`retention.${table}`, `delete from ${table} where series in (@series...) and bucket < @before`),
)
