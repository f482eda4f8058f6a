import type { Verb } from '../../command.ts'
import { channelView } from '../../format/channels.ts'
import { UsageError } from '../../usage-error.ts'
import { idOf } from '../../verbs/id.ts'

export const rotateChannelSecret: Verb = {
  name: 'rotate-secret',
  summary: 'Give a webhook a new signing secret, shown once; the old one signs beside it for a day',
  words: [['<ID>', 'id of the channel']],
  examples: ['channels rotate-secret 4', 'channels rotate-secret 4 -o json'],
  async run({ session, words }) {
    const { out } = session
    if (out.format === 'name') {
      throw new UsageError('--output: name would lose the secret, which is shown only now; use json')
    }
    const { data, message } = await session.client.rotateChannelSecret({ params: { id: idOf(words[0]) } })
    if (out.format === 'table') out.note(`${message}.`)
    await out.item(data, channelView)
    if (out.format === 'table') out.note('Keep the secret now: this is the only time it is shown.')
  },
}
