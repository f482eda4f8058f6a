import { monitorView } from '../../format/monitors.ts'
import { getVerb } from '../../verbs/get.ts'

export const getMonitor = getVerb({
  route: 'getMonitor',
  view: monitorView,
  summary: 'Show one monitor',
  examples: ['monitors get 7', 'monitors get 7 -o yaml'],
})
