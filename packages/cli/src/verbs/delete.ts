import type { RouteName } from '@watchpost/contract'
import { Option } from 'commander'
import type { Verb } from '../command.ts'
import { exitCodes } from '../exit.ts'
import type { View } from '../view.ts'
import { confirm } from './confirm.ts'
import { idOf } from './id.ts'
import { sendForItem } from './send.ts'

export interface DeletePlan<Row> {
  name?: string
  route: RouteName
  /** Reads the thing, so that the question can name it. */
  read?: RouteName
  view: View<Row>
  summary: string
  /** What goes with it: " and its history". */
  takesAlong?: string
  /** false: it is done without asking. */
  asks?: boolean
  examples: string[]
}

/** `delete ID`: asks on a terminal; elsewhere needs `--yes`. */
export function deleteVerb<Row extends object>(plan: DeletePlan<Row>): Verb {
  const asks = plan.asks ?? true
  const noun = plan.view.singular
  return {
    name: plan.name ?? 'delete',
    summary: plan.summary,
    words: [['<ID>', `id of the ${noun}`]],
    options: () => (asks ? [new Option('-y, --yes', 'do not ask')] : []),
    examples: plan.examples,
    async run({ session, words, given }) {
      const id = idOf(words[0])
      session.requireServer()
      if (asks && given.yes !== true) {
        const question = async () => {
          if (plan.read === undefined) return `Delete ${noun} ${id}${plan.takesAlong ?? ''}?`
          const { data } = await sendForItem<Row>(session.client, plan.read, { params: { id } })
          return `Delete ${noun} ${id} "${plan.view.name(data)}"${plan.takesAlong ?? ''}?`
        }
        const canAsk = session.io.stdin.isTTY === true && session.io.stderr.isTTY === true
        if (!(await confirm(canAsk ? await question() : '', session.io))) {
          session.out.note('Nothing deleted.')
          return exitCodes.bad
        }
      }
      const { message } = await sendForItem<null>(session.client, plan.route, { params: { id } })
      await session.out.gone(`${message}.`)
    },
  }
}
