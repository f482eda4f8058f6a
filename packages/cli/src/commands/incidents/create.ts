import type { Incident } from '@watchpost/contract'
import { incidentView } from '../../format/incidents.ts'
import { createVerb } from '../../verbs/create.ts'

export const createIncident = createVerb<Incident>({
  route: 'createIncident',
  view: incidentView,
  summary: 'Create an incident',
  examples: [
    'incidents create --title "Checkout is slow" --monitor-id 7',
    'incidents create --title "Mail is late" --status-page-id 1',
  ],
})
