import { query } from './query.ts'

/** To a channel that is still there and takes events. */
export const insertDelivery = query(
  'delivery.insert',
  `insert into deliveries (team_id, outbox_id, channel_id, attempts, next_at, lease_until, created_at)
   select c.team_id, cast(@outbox_id as text), c.id, 0, cast(@now as bigint), 0, cast(@created_at as bigint)
   from channels c where c.team_id = @team_id and c.id = @channel_id and c.enabled = 1`,
)

/**
 * A channel that waits after a failure is tried soon where something new has happened: its receiver may be well again, and
 * nothing new arrives before what waits. An attempt of the ladder is given back, so that this takes none away.
 */
export const hurryDelivery = query(
  'delivery.hurry',
  `update deliveries set next_at = @soon, attempts = case when attempts > 0 then attempts - 1 else 0 end
   where team_id = @team_id and channel_id = @channel_id and next_at > @soon and lease_until <= @now
     and created_at > @since`,
)

/** One that is over already: a test. */
export const insertSettledDelivery = query(
  'delivery.insertSettled',
  `insert into deliveries (team_id, outbox_id, channel_id, attempts, lease_until, created_at, delivered_at, failed_at,
     error, response_status)
   select c.team_id, cast(@outbox_id as text), c.id, 1, 0, cast(@created_at as bigint), cast(@delivered_at as bigint),
     cast(@failed_at as bigint), cast(@error as text), cast(@response_status as bigint)
   from channels c where c.team_id = @team_id and c.id = @channel_id`,
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
  down_since_at: number | null
  type: string
  settings: string
}
/**
 * What may be tried now, in the order it happened. A channel that waits after a failure, or is being tried, is left
 * alone as a whole: what happened later must not arrive earlier.
 */
export const dueDeliveries = query<DueDelivery>(
  'delivery.due',
  `select d.team_id, d.outbox_id, d.channel_id, d.attempts, d.lease_until, o.created_at, o.body, o.event,
     o.down_since_at, c.type, c.settings
   from deliveries d
   join outbox o on o.team_id = d.team_id and o.id = d.outbox_id
   join channels c on c.team_id = d.team_id and c.id = d.channel_id
   where d.next_at <= @now and c.enabled = 1 and d.channel_id not in (@busy...)
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

/** Compare-and-swap: of two replicas that saw it due, one delivers it, with the settings as they are now. */
export const leaseDelivery = query<{ settings: string }>(
  'delivery.lease',
  `update deliveries set lease_until = @until
   where team_id = @team_id and outbox_id = @outbox_id and channel_id = @channel_id and lease_until = @seen
     and next_at is not null
   returning (select c.settings from channels c
     where c.team_id = deliveries.team_id and c.id = deliveries.channel_id) as settings`,
)

export const settleDelivery = query(
  'delivery.settle',
  `update deliveries set attempts = @attempts, next_at = @next_at, lease_until = 0, delivered_at = @delivered_at,
     failed_at = @failed_at, error = @error, response_status = @response_status
   where team_id = @team_id and outbox_id = @outbox_id and channel_id = @channel_id`,
)

/** After a failure nothing of the channel is tried before its time. */
export const postponeChannel = query(
  'delivery.postpone',
  `update deliveries set next_at = @next_at
   where team_id = @team_id and channel_id = @channel_id and next_at < @next_at`,
)

/** Somebody has mended the channel, or says so by a replay: what waits is tried now. */
export const hastenChannel = query(
  'delivery.hasten',
  `update deliveries set next_at = @now where team_id = @team_id and channel_id = @channel_id and next_at > @now`,
)

/** What waits for a channel that takes nothing any more. */
export const dropDeliveries = query(
  'delivery.drop',
  `update deliveries set next_at = null, failed_at = @at, error = @error
   where team_id = @team_id and channel_id = @channel_id and next_at is not null
     and exists (select 1 from channels c
       where c.team_id = deliveries.team_id and c.id = deliveries.channel_id and c.enabled = 0)`,
)

/** A single server on its own file: leases of its past life are held by nobody. */
export const releaseDeliveries = query(
  'delivery.release',
  'update deliveries set lease_until = 0 where lease_until > 0',
)

export interface DeliveryRow {
  team_id: number
  channel_id: number
  id: string
  event: string
  body: string
  status: string
  attempts: number
  next_at: number | null
  lease_until: number
  delivered_at: number | null
  response_status: number | null
  error: string | null
  created_at: number
}

/** Columns of {@link DeliveryRow}. */
export const deliveryColumns = {
  team_id: 'd.team_id',
  channel_id: 'd.channel_id',
  id: 'd.outbox_id',
  event: 'o.event',
  body: 'o.body',
  status: `case when d.next_at is not null then 'pending' when d.delivered_at is not null then 'delivered'
    else 'failed' end`,
  attempts: 'd.attempts',
  next_at: 'd.next_at',
  lease_until: 'd.lease_until',
  delivered_at: 'd.delivered_at',
  response_status: 'd.response_status',
  error: 'd.error',
  created_at: 'd.created_at',
}
export const deliveryFrom = 'deliveries d join outbox o on o.team_id = d.team_id and o.id = d.outbox_id'

const columns = Object.entries(deliveryColumns)
  .map(([name, expression]) => `${expression} as ${name}`)
  .join(', ')

export const deliveryById = query<DeliveryRow>(
  'delivery.byId',
  `select ${columns} from ${deliveryFrom}
   where d.team_id = @team_id and d.channel_id = @channel_id and d.outbox_id = @outbox_id`,
)

/** Again from the start; not while it is being tried. */
export const replayDelivery = query(
  'delivery.replay',
  `update deliveries set attempts = 0, next_at = @now, delivered_at = null, failed_at = null, error = null,
     response_status = null
   where team_id = @team_id and outbox_id = @outbox_id and channel_id = @channel_id and lease_until <= @now
     and exists (select 1 from channels c
       where c.team_id = deliveries.team_id and c.id = deliveries.channel_id and c.enabled = 1)`,
)

/** Old entries of the log, some at a time; never one that is still to be delivered. */
export const forgetDeliveries = query<{ outbox_id: string }>(
  'delivery.forget',
  `delete from deliveries where (team_id, outbox_id, channel_id) in (
     select d.team_id, d.outbox_id, d.channel_id from deliveries d
     where d.created_at < @before and d.next_at is null limit @limit)
   returning outbox_id`,
)
