import Type from 'typebox'
import { listQuery } from '../list-query.ts'
import { route } from '../route.ts'
import { CreatedToken, Token, TokenWrite } from '../schema/token.ts'

export const tokenRoutes = {
  listTokens: route({
    method: 'GET',
    path: '/v1/tokens',
    surface: 'user',
    role: 'viewer',
    summary: 'List API tokens',
    query: listQuery(Token),
    envelope: 'list',
    reply: Token,
  }),
  createToken: route({
    method: 'POST',
    path: '/v1/tokens',
    surface: 'user',
    role: 'admin',
    summary: 'Create an API token',
    description: 'Its text is in this answer and never shown again.',
    body: TokenWrite,
    envelope: 'created',
    reply: CreatedToken,
    message: 'Token created',
  }),
  revokeToken: route({
    method: 'DELETE',
    path: '/v1/tokens/{id}',
    surface: 'user',
    role: 'admin',
    summary: 'Revoke an API token',
    description: 'It is refused from this moment on.',
    envelope: 'deleted',
    reply: Type.Null(),
    message: 'Token revoked',
  }),
}
