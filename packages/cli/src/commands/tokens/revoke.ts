import { tokenView } from '../../format/tokens.ts'
import { deleteVerb } from '../../verbs/delete.ts'

export const revokeToken = deleteVerb({
  name: 'revoke',
  route: 'revokeToken',
  view: tokenView,
  // A leaked token is revoked in a hurry.
  asks: false,
  summary: 'Revoke an API token, at once',
  examples: ['tokens revoke 3'],
})
