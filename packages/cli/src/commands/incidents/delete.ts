import { incidentView } from '../../format/incidents.ts'
import { deleteVerb } from '../../verbs/delete.ts'

export const deleteIncident = deleteVerb({
  route: 'deleteIncident',
  read: 'getIncident',
  view: incidentView,
  summary: 'Delete an incident and its timeline',
  takesAlong: ' and its timeline',
  examples: ['incidents delete 3', 'incidents delete 3 --yes'],
})
