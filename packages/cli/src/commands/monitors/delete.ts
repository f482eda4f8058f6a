import { monitorView } from '../../format/monitors.ts'
import { deleteVerb } from '../../verbs/delete.ts'

export const deleteMonitor = deleteVerb({
  route: 'deleteMonitor',
  read: 'getMonitor',
  view: monitorView,
  summary: 'Delete a monitor and its history',
  takesAlong: ' and its history',
  examples: ['monitors delete 7', 'monitors delete 7 --yes'],
})
