import { ApiError, type Role, type Scope } from '@watchpost/contract'
import { tokenByHash } from '@watchpost/store'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { effectiveRole } from '../domain/roles.ts'
import { sessionScopes } from '../domain/session.ts'
import type { LoggedIn, UserCaller } from '../http/handler.ts'
import { hashToken } from '../secrets.ts'
import { bearerToken } from './bearer.ts'
import type { SessionDoor } from './session.ts'

/**
 * The User API's credential is an API token, or, where there is none, the cookie of whoever is logged in (ruling 13).
 * Both are read anew each time, with the role as it is by now: revoked, removed and demoted hold at once, on every replica.
 */
export const authenticateUser =
  (context: Context, door: Pick<SessionDoor, 'read'>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<UserCaller> => {
    if (request.headers.authorization === undefined) {
      const session = await door.read(request)
      if (session === undefined) throw new ApiError('unauthorized', 'Unauthorized')
      // The answer depends on the cookie: no cache may give it to somebody else.
      reply.header('cache-control', 'private, no-cache')
      return person(session)
    }
    const token = await context.db.one(tokenByHash, { hash: hashToken(bearerToken(request)) })
    const now = context.now()
    if (token === undefined || (token.expires_at !== null && token.expires_at <= now)) {
      throw new ApiError('unauthorized', 'Unauthorized')
    }
    const role = effectiveRole(
      token.role as Role,
      token.user_id === null ? undefined : (token.maker_role as Role | null),
    )
    if (role === undefined) throw new ApiError('unauthorized', 'Unauthorized')
    context.seen.token(token.team_id, token.id, now)
    return {
      team_id: token.team_id,
      as: `token ${token.id}`,
      user_id: token.user_id,
      role,
      scopes: JSON.parse(token.scopes) as Scope[],
      session: undefined,
      token: { id: token.id, name: token.name },
    }
  }

function person(session: LoggedIn): UserCaller {
  const { team_id, user_id, role } = session
  return { team_id, as: `user ${user_id}`, user_id, role, scopes: sessionScopes(role), session }
}
