import type { Incident } from '@watchpost/contract'
import { incidentView } from '../../format/incidents.ts'
import { updateVerb } from '../../verbs/update.ts'

export const updateIncident = updateVerb<Incident>({
  route: 'updateIncident',
  read: 'getIncident',
  view: incidentView,
  summary: 'Change fields of an incident',
  examples: ['incidents update 3 --status identified', 'incidents update 3 --severity critical --monitor-id 7'],
})
