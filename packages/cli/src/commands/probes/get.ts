import { probeView } from '../../format/probes.ts'
import { getVerb } from '../../verbs/get.ts'

export const getProbe = getVerb({
  route: 'getProbe',
  view: probeView,
  summary: 'Show one probe, its machine, and what it is doing',
  examples: ['probes get 2', 'probes get 2 -o json'],
})
