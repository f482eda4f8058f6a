import { incidentSummaryView } from '../../format/incidents.ts'
import { listVerb } from '../../verbs/list.ts'

export const listIncidents = listVerb({
  route: 'listIncidents',
  view: incidentSummaryView,
  summary: 'List incidents, latest first',
  examples: [
    'incidents list',
    'incidents list --status investigating --severity critical',
    'incidents list --source automatic --all -o json',
  ],
})
