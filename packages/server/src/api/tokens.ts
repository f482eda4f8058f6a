import { ApiError, type Role, type Token, tokenRoutes } from '@watchpost/contract'
import { deleteToken, insertToken, type TokenRow, tokenById, tokenColumns } from '@watchpost/store'
import type { Context } from '../context.ts'
import { mayActAs } from '../domain/roles.ts'
import { found, type Handlers } from '../http/handler.ts'
import { columnsByName, listRows } from '../http/list.ts'
import { refuse } from '../http/validate.ts'
import { hashToken, newToken } from '../secrets.ts'
import { pathId, takeId } from './ids.ts'
import { iso, isoOrNull } from './time.ts'

export const tokenHandlers: Handlers<typeof tokenRoutes> = {
  async listTokens({ query, caller, context }) {
    const { rows, total } = await listRows<TokenRow>(context.db, query, {
      route: tokenRoutes.listTokens,
      name: 'token.list',
      columns: columnsByName(tokenColumns),
      from: 'tokens',
      where: 'team_id = @team_id',
      params: { team_id: caller.team_id },
    })
    return { rows: rows.map(tokenView), total }
  },

  async createToken({ body, caller, context }) {
    const role = body.role ?? 'member'
    if (!mayActAs(caller.role, role)) refuse({ role: `must not be above your own role, ${caller.role}` })
    const beyond = (body.scopes ?? []).filter(scope => !caller.scopes.includes(scope))
    if (beyond.length > 0)
      refuse({ scopes: `must not go beyond your own token's: it was made without ${beyond.join(', ')}` })
    if (body.expires_at != null && Date.parse(body.expires_at) <= context.now()) {
      refuse({ expires_at: 'must be in the future' })
    }
    return makeToken(context, caller.team_id, {
      user_id: caller.user_id,
      name: body.name,
      role,
      scopes: body.scopes ?? [],
      expires_at: body.expires_at == null ? null : Date.parse(body.expires_at),
    })
  },

  revokeToken: found({
    async find({ params, caller, context }) {
      const id = pathId(params.id)
      return id === undefined ? undefined : context.db.one(tokenById, { team_id: caller.team_id, id })
    },
    async handle({ context, caller }, token) {
      if (!mayActAs(caller.role, token.role as Role)) {
        throw new ApiError('forbidden', `Your role is ${caller.role}; this token's is ${token.role}`)
      }
      await context.db.commit([{ query: deleteToken, params: { team_id: token.team_id, id: token.id } }])
      return undefined
    },
  }),
}

export interface NewToken {
  /** Its maker: without them in the team it is refused. Null where no person makes it. */
  user_id: number | null
  name: string
  role: Role
  scopes: Token['scopes']
  expires_at: number | null
}

/** Makes an API token; what is returned holds its text, which is nowhere else. */
export async function makeToken(context: Pick<Context, 'db' | 'now'>, team_id: number, given: NewToken) {
  const id = await takeId(context.db, 'token')
  const token = newToken('api')
  const row = { ...given, team_id, id, scopes: JSON.stringify(given.scopes), created_at: context.now() }
  await context.db.commit([{ query: insertToken, params: { ...row, hash: hashToken(token) } }])
  return { ...tokenView({ ...row, last_used_at: null }), token }
}

function tokenView(row: TokenRow): Token {
  return {
    id: row.id,
    name: row.name,
    role: row.role as Role,
    scopes: JSON.parse(row.scopes),
    created_at: iso(row.created_at),
    last_used_at: isoOrNull(row.last_used_at),
    expires_at: isoOrNull(row.expires_at),
    user_id: row.user_id,
  }
}
