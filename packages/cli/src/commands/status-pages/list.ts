import { statusPageSummaryView } from '../../format/status-pages.ts'
import { listVerb } from '../../verbs/list.ts'

export const listStatusPages = listVerb({
  route: 'listStatusPages',
  view: statusPageSummaryView,
  summary: 'List status pages',
  examples: ['status-pages list', 'status-pages list --is-public -o json'],
})
