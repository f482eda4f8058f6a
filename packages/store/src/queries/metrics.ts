import { query } from './query.ts'

/** What an operator wants to see of the whole instance. */
export const monitorsByStatus = query<{ status: string; count: number }>(
  'metrics.monitors',
  'select status, count(*) as count from monitor_states group by status order by status',
)

export const pendingDeliveries = query<{ count: number; oldest_at: number | null }>(
  'metrics.deliveries',
  `select count(*) as count, min(o.created_at) as oldest_at
   from deliveries d join outbox o on o.team_id = d.team_id and o.id = d.outbox_id
   where d.next_at is not null`,
)
