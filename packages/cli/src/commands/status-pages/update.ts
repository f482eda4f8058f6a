import type { StatusPage } from '@watchpost/contract'
import { statusPageView } from '../../format/status-pages.ts'
import { updateVerb } from '../../verbs/update.ts'

export const updateStatusPage = updateVerb<StatusPage>({
  route: 'updateStatusPage',
  read: 'getStatusPage',
  view: statusPageView,
  summary: 'Change fields of a status page',
  examples: ['status-pages update 1 --title "Acme"', "status-pages update 1 --theme primary_color='#0044cc'"],
})
