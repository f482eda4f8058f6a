import { ApiError, type Delivery, type DeliveryStatus, deliveryRoutes, type SentEvent } from '@watchpost/contract'
import {
  ConflictError,
  type DeliveryRow,
  deliveryById,
  deliveryColumns,
  deliveryFrom,
  hastenChannel,
  replayDelivery,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { subjectOf } from '../domain/delivery-subject.ts'
import { mayActAs } from '../domain/roles.ts'
import { found, type Handlers, type UserCaller } from '../http/handler.ts'
import { listRows } from '../http/list.ts'
import { findChannel } from './open-channel.ts'
import { iso, isoOrNull } from './time.ts'

export const deliveryHandlers: Handlers<typeof deliveryRoutes> = {
  listDeliveries: found({
    find: findChannel,
    async handle({ query, caller, context }, { row: { team_id, id: channel_id } }) {
      const { rows, total } = await listRows<DeliveryRow>(context.db, query, {
        route: deliveryRoutes.listDeliveries,
        name: 'delivery.list',
        columns: deliveryColumns,
        from: deliveryFrom,
        where: 'd.team_id = @team_id and d.channel_id = @channel_id',
        params: { team_id, channel_id },
        fields: { next_attempt_at: 'next_at' },
        order: '-created_at',
        countFrom: 'deliveries d',
      })
      return { rows: rows.map(row => deliveryView(row, caller)), total }
    },
  }),

  getDelivery: found({
    find: findDelivery,
    async handle({ caller }, row) {
      return { ...deliveryView(row, caller), body: maySeeWhatWasSaid(caller) ? row.body : null }
    },
  }),

  replayDelivery: found({
    find: findDelivery,
    async handle({ caller, context, params }, row) {
      const { team_id, channel_id, id: outbox_id } = row
      const now = context.now()
      try {
        await context.db.commit([
          { query: replayDelivery, params: { team_id, channel_id, outbox_id, now }, expect: 1 },
          // Whoever replays says that the receiver is there: nothing of the channel waits any longer.
          { query: hastenChannel, params: { team_id, channel_id, now } },
        ])
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
        const channel = await findChannel({ params, caller, context })
        if (channel === undefined) throw new ApiError('not_found', 'Not found')
        const why = channel.row.enabled === 0 ? 'The channel is disabled; enable it first' : 'It is being sent just now'
        throw new ApiError('conflict', why)
      }
      context.eventCommitted()
      const queued = { attempts: 0, next_at: now, delivered_at: null, response_status: null, error: null }
      return deliveryView({ ...row, ...queued, status: 'pending' }, caller)
    },
  }),
}

interface OfDelivery {
  params: { id: string; delivery_id: string }
  caller: UserCaller
  context: Context
}

async function findDelivery({ params, caller, context }: OfDelivery) {
  const channel = await findChannel({ params, caller, context })
  if (channel === undefined) return undefined
  const { team_id, id: channel_id } = channel.row
  return context.db.one(deliveryById, { team_id, channel_id, outbox_id: params.delivery_id })
}

/** A receiver may repeat its address, and the body may go where the team alone should look (ruling 16). */
const maySeeWhatWasSaid = (caller: UserCaller): boolean => mayActAs(caller.role, 'member')

function deliveryView(row: DeliveryRow, caller: UserCaller): Delivery {
  return {
    id: row.id,
    event: row.event as SentEvent,
    subject: subjectOf(JSON.parse(row.body)),
    status: row.status as DeliveryStatus,
    attempts: row.attempts,
    next_attempt_at: isoOrNull(row.next_at),
    delivered_at: isoOrNull(row.delivered_at),
    response_status: row.response_status,
    error: maySeeWhatWasSaid(caller) ? row.error : null,
    created_at: iso(row.created_at),
  }
}
