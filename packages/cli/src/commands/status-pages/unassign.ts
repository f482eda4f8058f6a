import type { Verb } from '../../command.ts'
import { idOf } from '../../verbs/id.ts'

export const unassignMonitor: Verb = {
  name: 'unassign',
  summary: 'Take a monitor off a page',
  words: [
    ['<PAGE_ID>', 'id of the status page'],
    ['<MONITOR_ID>', 'id of the monitor'],
  ],
  examples: ['status-pages unassign 1 7'],
  async run({ session, words }) {
    const params = { id: idOf(words[0], 'PAGE_ID'), monitor_id: idOf(words[1], 'MONITOR_ID', 'monitors list') }
    const { message } = await session.client.unassignMonitor({ params })
    await session.out.gone(`${message}.`)
  },
}
