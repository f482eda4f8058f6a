import { type Assignment, routes } from '@watchpost/contract'
import type { Verb } from '../../command.ts'
import { flagsOf } from '../../flags.ts'
import { assignmentView } from '../../format/status-pages.ts'
import { fieldsOf, fileOption, readBody } from '../../verbs/body.ts'
import { idOf } from '../../verbs/id.ts'
import { sendForItem } from '../../verbs/send.ts'

export const assignMonitor: Verb = {
  name: 'assign',
  summary: 'Put a monitor on a page, or change how it is shown',
  words: [
    ['<PAGE_ID>', 'id of the status page'],
    ['<MONITOR_ID>', 'id of the monitor'],
  ],
  flags: () => flagsOf(routes.assignMonitor.body).filter(flag => flag.field !== 'monitor_id'),
  options: () => [fileOption()],
  examples: ['status-pages assign 1 7', 'status-pages assign 1 7 --display-name Checkout --group-name Shop'],
  async run({ session, words, given, flags }) {
    const params = { id: idOf(words[0], 'PAGE_ID') }
    const monitor_id = idOf(words[1], 'MONITOR_ID', 'monitors list')
    const body = { ...(await readBody(flags, given, session.io, fieldsOf('assignMonitor'))), monitor_id }
    const { data, message } = await sendForItem<Assignment>(session.client, 'assignMonitor', { params, body })
    if (session.out.format === 'table') session.out.note(`${message}.`)
    await session.out.item(data, assignmentView)
  },
}
