import { appSummaryView } from '../../format/apps.ts'
import { listVerb } from '../../verbs/list.ts'

export const listApps = listVerb({
  route: 'listApps',
  view: appSummaryView,
  summary: 'List observability apps',
  examples: ['apps list', 'apps list --sort -created_at -o json'],
})
