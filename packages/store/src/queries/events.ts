import { query } from './query.ts'

export interface EventRow {
  id: string
  event: string
  body: string
  created_at: number
}

/** Of one millisecond those after an id as well, so that more of them than fit one answer are come by. */
export const eventsSince = query<EventRow>(
  'event.since',
  `select id, event, body, created_at from outbox
   where team_id = @team_id and created_at >= @since and (created_at > @since or id > @outbox_id)
   order by created_at, id limit @limit`,
)

export const eventById = query<EventRow>(
  'event.byId',
  'select id, event, body, created_at from outbox where team_id = @team_id and id = @outbox_id',
)

export interface CheckedRow {
  monitor_id: number
  status: string
  response_time_ms: number | null
  last_check_at: number
}

export const checkedSince = query<CheckedRow>(
  'event.checkedSince',
  `select monitor_id, status, response_time_ms, last_check_at from monitor_states
   where team_id = @team_id and last_check_at >= @since order by last_check_at, monitor_id`,
)
