import type { Monitor } from '@watchpost/contract'
import { monitorView } from '../../format/monitors.ts'
import { updateVerb } from '../../verbs/update.ts'

export const updateMonitor = updateVerb<Monitor>({
  route: 'updateMonitor',
  read: 'getMonitor',
  view: monitorView,
  summary: 'Change fields of a monitor',
  examples: ['monitors update 7 --interval 30 --no-ssl-verify', 'monitors update 7 --option keyword=ready'],
})
