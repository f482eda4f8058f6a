import type { Delivery, DeliveryStatus } from '@watchpost/contract'
import type { Tone } from '../table.ts'
import type { View } from '../view.ts'
import { moment } from './time.ts'

const tones: Record<DeliveryStatus, Tone> = { pending: 'warn', delivered: 'good', failed: 'bad' }

export const deliveryView: View<Delivery> = {
  singular: 'delivery',
  plural: 'deliveries',
  name: delivery => delivery.id,
  columns: [
    { title: 'ID', cell: ({ id }) => id },
    { title: 'EVENT', cell: ({ event }) => String(event) },
    { title: 'OF', cell: ({ subject }) => `${subject.type} ${subject.id} ${subject.name}`, least: 12 },
    { title: 'STATUS', cell: ({ status }) => String(status), tone: ({ status }) => tones[status] },
    { title: 'ATTEMPTS', cell: ({ attempts }) => String(attempts), right: true, optional: 2 },
    { title: 'CREATED', cell: ({ created_at }) => moment(created_at), moment: true, optional: 1 },
    { title: 'NEXT ATTEMPT', cell: delivery => moment(delivery.next_attempt_at), moment: true, optional: 3 },
    { title: 'ERROR', cell: ({ error }) => error ?? '-', least: 12 },
  ],
}
