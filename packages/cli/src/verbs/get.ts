import type { RouteName } from '@watchpost/contract'
import type { Verb } from '../command.ts'
import type { View } from '../view.ts'
import { idOf } from './id.ts'
import { sendForItem } from './send.ts'

/** `get ID`, or a verb that shows something else of the thing with that id. */
export function getVerb<Row extends object>(plan: {
  name?: string
  /** Whose id it is, where it is not the view's own. */
  of?: string
  route: RouteName
  view: View<Row>
  summary: string
  examples: string[]
}): Verb {
  return {
    name: plan.name ?? 'get',
    summary: plan.summary,
    words: [['<ID>', `id of the ${plan.of ?? plan.view.singular}`]],
    examples: plan.examples,
    async run({ session, words }) {
      const { data } = await sendForItem<Row>(session.client, plan.route, { params: { id: idOf(words[0]) } })
      await session.out.item(data, plan.view)
    },
  }
}
