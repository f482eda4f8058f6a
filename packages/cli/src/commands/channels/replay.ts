import type { Verb } from '../../command.ts'
import { deliveryView } from '../../format/deliveries.ts'
import { idOf } from '../../verbs/id.ts'

export const replayDelivery: Verb = {
  name: 'replay',
  summary: 'Send an event again, under the same id',
  words: [
    ['<ID>', 'id of the channel'],
    ['<DELIVERY_ID>', 'id of the delivery; "deliveries" shows them'],
  ],
  listedBy: ([id]) => `channels deliveries ${id}`,
  examples: ['channels replay 4 msg_0123456789abcdef'],
  async run({ session, words: [id, delivery_id = ''] }) {
    const { data, message } = await session.client.replayDelivery({ params: { id: idOf(id), delivery_id } })
    if (session.out.format === 'table') session.out.note(`${message}.`)
    await session.out.item(data, deliveryView)
  },
}
