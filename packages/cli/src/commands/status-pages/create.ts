import type { StatusPage } from '@watchpost/contract'
import { statusPageView } from '../../format/status-pages.ts'
import { createVerb } from '../../verbs/create.ts'

export const createStatusPage = createVerb<StatusPage>({
  route: 'createStatusPage',
  view: statusPageView,
  summary: 'Create a status page',
  examples: [
    'status-pages create --slug acme --title "Acme status"',
    'status-pages create --slug staff --title Staff --no-is-public',
  ],
})
