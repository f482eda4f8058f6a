import type { Verb } from '../command.ts'
import { usageView } from '../format/usage.ts'
import { idOf } from '../verbs/id.ts'

export const verb: Verb = {
  name: 'usage',
  summary: 'What an app has used of its quotas this month',
  words: [['<APP_ID>', 'id of the app']],
  examples: ['usage 1', 'usage 1 -o json'],
  async run({ session, words }) {
    const usage = await session.client.getUsage({ params: { id: idOf(words[0], 'APP_ID', 'apps list') } })
    await session.out.item(usage, usageView)
  },
}
