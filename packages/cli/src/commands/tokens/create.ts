import type { CreatedToken } from '@watchpost/contract'
import { tokenView } from '../../format/tokens.ts'
import { createVerb } from '../../verbs/create.ts'
import type { View } from '../../view.ts'

export const createToken = createVerb<CreatedToken>({
  route: 'createToken',
  view: tokenView as View<CreatedToken>,
  secret: 'token',
  summary: 'Create an API token, shown once',
  examples: [
    'tokens create --name ci --role member --scope status-pages:write',
    'tokens create --name tmp --expires-at 2027-01-01T00:00:00.000Z',
  ],
})
