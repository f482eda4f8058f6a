import Type, { type Static } from 'typebox'
import { Id, Nullable, Timestamp, Word } from './scalar.ts'
import { type SentEvent, sentEvents } from './webhook.ts'

/** pending: still being tried. failed: given up, or refused for good. */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const deliverySubjects = ['monitor', 'incident', 'app', 'channel'] as const

/** Whom an event is about, as they were called when it happened. */
export const DeliverySubject = Type.Object(
  {
    type: Word(deliverySubjects),
    id: Id({ description: 'Of the monitor, incident, app or channel; it may have been deleted since.' }),
    name: Type.String({ description: 'Name or title, as it was then.' }),
    status: Nullable(Type.String({ description: 'What the monitor or incident became; null for others.' })),
    monitor_ids: Type.Array(Id(), { description: 'Ids of the monitors that an incident affects.' }),
  },
  { title: 'DeliverySubject' },
)
export type DeliverySubject = Static<typeof DeliverySubject>

/** One event on its way to one channel, as the log shows it. */
export const Delivery = Type.Object(
  {
    id: Type.String({ description: 'The `webhook-id`: the same for every attempt, and every channel.' }),
    event: Word(sentEvents as readonly SentEvent[]),
    subject: DeliverySubject,
    status: Word(deliveryStatuses),
    attempts: Type.Integer({ minimum: 0 }),
    next_attempt_at: Nullable(Timestamp()),
    delivered_at: Nullable(Timestamp()),
    response_status: Nullable(Type.Integer({ description: 'What the receiver answered last, where it speaks HTTP.' })),
    error: Nullable(Type.String({ description: 'Why the last attempt failed; null for a viewer.' })),
    created_at: Timestamp(),
  },
  { title: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

/** A delivery with what was sent. */
export const DeliveryDetail = Type.Object(
  {
    ...Delivery.properties,
    body: Nullable(
      Type.String({
        description:
          'The JSON text as it is signed and posted; for channels to people, the event they are told of. null for a viewer.',
      }),
    ),
  },
  { title: 'DeliveryDetail' },
)
export type DeliveryDetail = Static<typeof DeliveryDetail>
