import { tokenView } from '../../format/tokens.ts'
import { listVerb } from '../../verbs/list.ts'

export const listTokens = listVerb({
  route: 'listTokens',
  view: tokenView,
  summary: 'List API tokens',
  examples: ['tokens list', 'tokens list --sort -last_used_at'],
})
