import { probeView } from '../../format/probes.ts'
import { listVerb } from '../../verbs/list.ts'

export const listProbes = listVerb({
  route: 'listProbes',
  view: probeView,
  summary: 'List probes',
  examples: ['probes list', 'probes list --region eu-central'],
})
