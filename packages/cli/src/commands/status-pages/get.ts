import { statusPageView } from '../../format/status-pages.ts'
import { getVerb } from '../../verbs/get.ts'

export const getStatusPage = getVerb({
  route: 'getStatusPage',
  view: statusPageView,
  summary: 'Show a status page and its monitors',
  examples: ['status-pages get 1', 'status-pages get 1 -o yaml'],
})
