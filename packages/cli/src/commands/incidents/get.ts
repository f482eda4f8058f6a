import { incidentView } from '../../format/incidents.ts'
import { getVerb } from '../../verbs/get.ts'

export const getIncident = getVerb({
  route: 'getIncident',
  view: incidentView,
  summary: 'Show one incident with its timeline',
  examples: ['incidents get 3', 'incidents get 3 -o yaml'],
})
