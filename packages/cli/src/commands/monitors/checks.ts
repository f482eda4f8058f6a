import { checkView } from '../../format/monitors.ts'
import { listVerb } from '../../verbs/list.ts'

export const listMonitorChecks = listVerb({
  name: 'checks',
  route: 'listMonitorChecks',
  of: 'monitor',
  without: ['monitor_id'],
  view: checkView,
  summary: 'Check history of a monitor, newest first',
  examples: ['monitors checks 7', 'monitors checks 7 --status offline --per-page 100', 'monitors checks 7 -o json'],
})
