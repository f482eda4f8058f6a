import { probeView } from '../../format/probes.ts'
import { deleteVerb } from '../../verbs/delete.ts'

export const deleteProbe = deleteVerb({
  route: 'deleteProbe',
  view: probeView,
  summary: 'Remove a probe; its token is refused at once',
  examples: ['probes delete 2', 'probes delete 2 --yes'],
})
