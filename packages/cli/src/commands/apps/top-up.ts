import { routes, type TopUpBalance } from '@watchpost/contract'
import type { Verb } from '../../command.ts'
import { flagsOf } from '../../flags.ts'
import { balanceView } from '../../format/usage.ts'
import { UsageError } from '../../usage-error.ts'
import { readBody } from '../../verbs/body.ts'
import { idOf } from '../../verbs/id.ts'
import { sendForItem } from '../../verbs/send.ts'

export const topUpApp: Verb = {
  name: 'top-up',
  summary: 'Add to what an app may use beyond its plan',
  words: [['<ID>', 'id of the app']],
  flags: () => flagsOf(routes.topUpApp.body),
  flagsAre: 'Amounts',
  examples: ['apps top-up 1 --events 10000', 'apps top-up 1 --spans 100000 --logs-bytes 1000000000'],
  async run({ session, words, given, flags }) {
    const params = { id: idOf(words[0]) }
    const body = await readBody(flags, given, session.io)
    if (Object.keys(body).length === 0) {
      throw new UsageError(`nothing to add: give at least one of ${flags.map(flag => flag.name).join(', ')}`)
    }
    const { data, message } = await sendForItem<TopUpBalance>(session.client, 'topUpApp', { params, body })
    if (session.out.format === 'table') session.out.note(`${message}; this is the balance now.`)
    await session.out.item(data, balanceView)
  },
}
