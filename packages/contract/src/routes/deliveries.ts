import { listQuery } from '../list-query.ts'
import { route } from '../route.ts'
import { Delivery, DeliveryDetail } from '../schema/delivery.ts'

/** The log of what was sent through a channel. */
export const deliveryRoutes = {
  listDeliveries: route({
    method: 'GET',
    path: '/v1/channels/{id}/deliveries',
    surface: 'user',
    role: 'viewer',
    summary: 'Delivery log of an alert channel',
    description: 'Newest first, unless sorted otherwise. Kept for 30 days.',
    query: listQuery(Delivery, ['error']),
    envelope: 'list',
    reply: Delivery,
  }),
  getDelivery: route({
    method: 'GET',
    path: '/v1/channels/{id}/deliveries/{delivery_id}',
    surface: 'user',
    role: 'viewer',
    summary: 'Read a delivery, with what was sent',
    envelope: 'item',
    reply: DeliveryDetail,
  }),
  replayDelivery: route({
    method: 'POST',
    path: '/v1/channels/{id}/deliveries/{delivery_id}/replay',
    surface: 'user',
    role: 'admin',
    summary: 'Send an event again',
    description: 'Under the same `webhook-id`; attempts are counted anew.',
    envelope: 'updated',
    reply: Delivery,
    message: 'Delivery queued',
  }),
}
