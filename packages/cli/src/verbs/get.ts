import type { RouteName } from '@watchpost/contract'
import type { Verb } from '../command.ts'
import type { View } from '../view.ts'
import { idOf } from './id.ts'
import { sendForItem } from './send.ts'

/** `get ID`: one thing with all its fields. */
export function getVerb<Row extends object>(plan: {
  route: RouteName
  view: View<Row>
  summary: string
  examples: string[]
}): Verb {
  return {
    name: 'get',
    summary: plan.summary,
    words: [['<ID>', `id of the ${plan.view.singular}`]],
    examples: plan.examples,
    async run({ session, words }) {
      const { data } = await sendForItem<Row>(session.client, plan.route, { params: { id: idOf(words[0]) } })
      await session.out.item(data, plan.view)
    },
  }
}
