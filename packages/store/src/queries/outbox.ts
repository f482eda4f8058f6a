import { query } from './query.ts'

export const insertEvent = query(
  'outbox.insert',
  `insert into outbox (team_id, id, event, body, created_at, echo, down_since_at)
   values (@team_id, @id, @event, @body, @created_at, @echo, @down_since_at)`,
)

export interface PendingEvent {
  team_id: number
  id: string
  event: string
  body: string
  created_at: number
  /** 1: says again what a status change has said. */
  echo: number
  down_since_at: number | null
}
export const pendingEvents = query<PendingEvent>(
  'outbox.pending',
  `select team_id, id, event, body, created_at, echo, down_since_at from outbox
   where dispatched_at is null order by created_at, id limit @limit`,
)

/** Of two replicas that saw it pending, one dispatches it. */
export const markDispatched = query(
  'outbox.dispatched',
  'update outbox set dispatched_at = @now where team_id = @team_id and id = @outbox_id and dispatched_at is null',
)

/** Events that nobody's log shows any more, some at a time. */
export const forgetEvents = query<{ id: string }>(
  'outbox.forget',
  `delete from outbox where (team_id, id) in (
     select o.team_id, o.id from outbox o
     where o.created_at < @before and o.dispatched_at is not null and not exists (
       select 1 from deliveries d where d.team_id = o.team_id and d.outbox_id = o.id)
     limit @limit)
   returning id`,
)
