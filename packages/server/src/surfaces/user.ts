import { ApiError, type Role, type Scope } from '@watchpost/contract'
import { tokenByHash } from '@watchpost/store'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { UserCaller } from '../http/handler.ts'
import { hashToken } from '../secrets.ts'
import { bearerToken } from './bearer.ts'

/** The User API's credential is an API token, read anew each time: revoked means refused at once, on every replica. */
export const authenticateUser =
  (context: Context) =>
  async (request: FastifyRequest): Promise<UserCaller> => {
    const token = await context.db.one(tokenByHash, { hash: hashToken(bearerToken(request)) })
    const now = context.now()
    if (token === undefined || (token.expires_at !== null && token.expires_at <= now)) {
      throw new ApiError('unauthorized', 'Unauthorized')
    }
    context.seen.token(token.team_id, token.id, now)
    return {
      team_id: token.team_id,
      token_id: token.id,
      role: token.role as Role,
      scopes: JSON.parse(token.scopes) as Scope[],
    }
  }
