import { statusPageView } from '../../format/status-pages.ts'
import { deleteVerb } from '../../verbs/delete.ts'

export const deleteStatusPage = deleteVerb({
  route: 'deleteStatusPage',
  read: 'getStatusPage',
  view: statusPageView,
  summary: 'Delete a status page',
  examples: ['status-pages delete 1', 'status-pages delete 1 --yes'],
})
