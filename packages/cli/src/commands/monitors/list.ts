import { monitorView } from '../../format/monitors.ts'
import { listVerb } from '../../verbs/list.ts'

export const listMonitors = listVerb({
  route: 'listMonitors',
  view: monitorView,
  summary: 'List monitors',
  examples: [
    'monitors list',
    'monitors list --status offline --sort -response_time_ms',
    'monitors list --type https --all -o json',
  ],
})
