import { subscriberView } from '../../format/status-pages.ts'
import { listVerb } from '../../verbs/list.ts'

export const listSubscribers = listVerb({
  name: 'subscribers',
  route: 'listSubscribers',
  of: 'status page',
  view: subscriberView,
  summary: 'Who is told of the incidents of a page by e-mail',
  examples: ['status-pages subscribers 1', 'status-pages subscribers 1 --all -o json'],
})
