import type { ProvisionedProbe } from '@watchpost/contract'
import { probeView } from '../../format/probes.ts'
import { createVerb } from '../../verbs/create.ts'
import type { View } from '../../view.ts'

export const createProbe = createVerb<ProvisionedProbe>({
  route: 'createProbe',
  view: probeView as View<ProvisionedProbe>,
  secret: 'token',
  summary: 'Provision a probe, its token shown once',
  examples: ['probes create --name frankfurt-1 --region eu-central', 'probes create --name lab -o json'],
})
