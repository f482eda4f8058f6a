import type { Verb } from '../../command.ts'
import { monitorView } from '../../format/monitors.ts'
import { idOf } from '../../verbs/id.ts'
import { checkWait, thenWait, waitOptions } from '../../verbs/wait.ts'

/** `pause` and `resume`: the same PATCH, one field either way. */
export function switchVerb(name: string, enabled: boolean, summary: string): Verb {
  return {
    name,
    summary,
    words: [['<ID>', 'id of the monitor']],
    options: enabled ? waitOptions : () => [],
    examples: [`monitors ${name} 7`, ...(enabled ? [`monitors ${name} 7 --wait online`] : [])],
    async run(call) {
      const { session, words } = call
      checkWait(call)
      const { data } = await session.client.updateMonitor({ params: { id: idOf(words[0]) }, body: { enabled } })
      if (session.out.format === 'table') session.out.note(`Monitor ${enabled ? 'resumed' : 'paused'}.`)
      const { shown, code } = await thenWait(data, call)
      await session.out.item(shown, monitorView)
      return code
    },
  }
}
