import { query } from './query.ts'

export const insertEvent = query(
  'outbox.insert',
  `insert into outbox (team_id, id, event, body, created_at) values (@team_id, @id, @event, @body, @created_at)`,
)

export interface PendingEvent {
  team_id: number
  id: string
  created_at: number
}
export const pendingEvents = query<PendingEvent>(
  'outbox.pending',
  `select team_id, id, created_at from outbox where dispatched_at is null order by created_at, id limit @limit`,
)

/** One delivery for each channel that was there when it happened and still takes events. */
export const fanOut = query(
  'delivery.fanOut',
  `insert into deliveries (team_id, outbox_id, channel_id, attempts, next_at, lease_until)
   select c.team_id, cast(@outbox_id as text), c.id, 0, cast(@now as bigint), 0 from channels c
   where c.team_id = @team_id and c.disabled_at is null and c.created_at <= @created_at
   on conflict (team_id, outbox_id, channel_id) do nothing`,
)

export const markDispatched = query(
  'outbox.dispatched',
  'update outbox set dispatched_at = @now where team_id = @team_id and id = @outbox_id and dispatched_at is null',
)

export interface DueDelivery {
  team_id: number
  outbox_id: string
  channel_id: number
  attempts: number
  lease_until: number
  created_at: number
  body: string
  event: string
  type: string
  settings: string
}
/**
 * What may be tried now, in the order it happened. A channel that waits after a failure, or is being tried, is left
 * alone as a whole: what happened later must not arrive earlier.
 */
export const dueDeliveries = query<DueDelivery>(
  'delivery.due',
  `select d.team_id, d.outbox_id, d.channel_id, d.attempts, d.lease_until, o.created_at, o.body, o.event, c.type,
     c.settings
   from deliveries d
   join outbox o on o.team_id = d.team_id and o.id = d.outbox_id
   join channels c on c.team_id = d.team_id and c.id = d.channel_id
   where d.next_at <= @now and c.disabled_at is null and d.channel_id not in (@busy...)
     -- Asked once, not once for each row: after an outage there are thousands.
     and d.channel_id not in (
       select w.channel_id from deliveries w
       where w.next_at is not null and (w.next_at > @now or w.lease_until > @now))
   order by o.created_at, o.id limit @limit`,
)

export const nextDelivery = query<{ at: number | null }>(
  'delivery.next',
  'select min(next_at) as at from deliveries where next_at > @now',
)

/** Compare-and-swap: of two replicas that saw it due, one delivers it. */
export const leaseDelivery = query(
  'delivery.lease',
  `update deliveries set lease_until = @until
   where team_id = @team_id and outbox_id = @outbox_id and channel_id = @channel_id and lease_until = @seen
     and next_at is not null
   returning channel_id`,
)

export const settleDelivery = query(
  'delivery.settle',
  `update deliveries set attempts = @attempts, next_at = @next_at, lease_until = 0, delivered_at = @delivered_at,
     failed_at = @failed_at, error = @error
   where team_id = @team_id and outbox_id = @outbox_id and channel_id = @channel_id`,
)

/** After a failure nothing of the channel is tried before its time. */
export const postponeChannel = query(
  'delivery.postpone',
  `update deliveries set next_at = @next_at
   where team_id = @team_id and channel_id = @channel_id and next_at < @next_at`,
)

export const dropDeliveries = query(
  'delivery.drop',
  `update deliveries set next_at = null, failed_at = @at, error = @error
   where team_id = @team_id and channel_id = @channel_id and next_at is not null`,
)

/** A single server on its own file: leases of its past life are held by nobody. */
export const releaseDeliveries = query(
  'delivery.release',
  'update deliveries set lease_until = 0 where lease_until > 0',
)
