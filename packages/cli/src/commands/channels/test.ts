import type { Verb } from '../../command.ts'
import { exitCodes } from '../../exit.ts'
import { channelTestView } from '../../format/channels.ts'
import { idOf } from '../../verbs/id.ts'

export const testChannel: Verb = {
  name: 'test',
  summary: 'Send a test through an alert channel; exit 1 if it does not arrive',
  words: [['<ID>', 'id of the channel']],
  examples: ['channels test 4', 'channels test 4 -o json'],
  async run({ session, words }) {
    const { data } = await session.client.testChannel({ params: { id: idOf(words[0]) } })
    await session.out.item(data, channelTestView)
    return data.delivered ? exitCodes.fine : exitCodes.bad
  },
}
