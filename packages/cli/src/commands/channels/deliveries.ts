import type { Verb } from '../../command.ts'
import { deliveryView } from '../../format/deliveries.ts'
import { idOf } from '../../verbs/id.ts'
import { listVerb } from '../../verbs/list.ts'

const list = listVerb({
  name: 'deliveries',
  route: 'listDeliveries',
  of: 'channel',
  view: deliveryView,
  summary: 'What was sent through a channel, newest first; or one of it, with the body',
  examples: [
    'channels deliveries 4',
    'channels deliveries 4 --status failed --event alert.triggered',
    'channels deliveries 4 msg_0123456789abcdef -o json',
  ],
})

export const channelDeliveries: Verb = {
  ...list,
  words: [...(list.words ?? []), ['[DELIVERY_ID]', 'id of one delivery']],
  async run(call) {
    const { session, words } = call
    const [id, delivery_id] = words
    if (delivery_id === undefined) return list.run(call)
    const { data } = await session.client.getDelivery({ params: { id: idOf(id), delivery_id } })
    await session.out.item(data, deliveryView)
  },
}
