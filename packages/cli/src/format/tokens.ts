import type { Token } from '@watchpost/contract'
import type { View } from '../view.ts'
import { ago, moment } from './time.ts'

export const tokenView: View<Token> = {
  singular: 'token',
  plural: 'tokens',
  name: token => token.name,
  columns: [
    { title: 'ID', cell: ({ id }) => String(id), right: true },
    { title: 'NAME', cell: ({ name }) => name, least: 12 },
    { title: 'ROLE', cell: ({ role }) => String(role) },
    { title: 'SCOPES', cell: ({ scopes }) => scopes.join(', ') || '-', least: 8 },
    { title: 'LAST USED', cell: (token, now) => ago(token.last_used_at, now), optional: 1 },
    {
      title: 'EXPIRES',
      cell: token => (token.expires_at === null ? 'never' : moment(token.expires_at)),
      moment: true,
      optional: 2,
    },
  ],
}
