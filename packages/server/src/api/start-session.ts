import { ApiError, type Plan, type Role, type Session } from '@watchpost/contract'
import { deleteSession, insertSession, type Step, sweepSessions, teamsOfUser } from '@watchpost/store'
import type { Context } from '../context.ts'
import { cookieEnd, sessionEnd, sessionScopes } from '../domain/session.ts'
import type { LoggedIn, Visitor } from '../http/handler.ts'
import { csrfToken, hashToken, newToken } from '../secrets.ts'
import { iso } from './time.ts'

/** Somebody whose password was just shown to be known, or set. */
export interface Proven {
  id: number
  email: string
  password_hash: string
}

/**
 * Begins a log-in under a cookie nobody has seen before; one that the browser had is over (no fixation).
 * @param before what makes the user and the membership, in the same commit
 */
export async function startSession(
  context: Context,
  visitor: Visitor,
  user: Proven,
  team_id: number,
  before: Step[] = [],
): Promise<Session> {
  const token = newToken('session')
  const hash = hashToken(token)
  const now = context.now()
  const expires_at = sessionEnd(now, now)
  const row = { hash, user_id: user.id, password_hash: user.password_hash, team_id, created_at: now, expires_at }
  const { previous } = visitor
  context.audit?.enter(team_id, user)
  await context.db.commit([
    ...before,
    { query: insertSession, params: row, expect: 1 },
    ...(previous === undefined ? [] : [{ query: deleteSession, params: { hash: previous } }]),
    { query: sweepSessions, params: { at: now } },
  ])
  visitor.cookie.set(token, cookieEnd(now))
  const { id: user_id, email } = user
  return sessionView(context, { hash, csrf: csrfToken(token), user_id, email, team_id, created_at: now, expires_at })
}

/** A log-in as whoever it is sees it. */
export async function sessionView(context: Context, session: Omit<LoggedIn, 'role'>): Promise<Session> {
  const teams = await context.db.all(teamsOfUser, { user_id: session.user_id })
  const team = teams.find(({ id }) => id === session.team_id)
  // Removed in this very moment.
  if (team === undefined) throw new ApiError('unauthorized', 'Unauthorized')
  const role = team.role as Role
  return {
    user: { id: session.user_id, email: session.email },
    team: { id: team.id, name: team.name, plan: team.plan as Plan },
    role,
    scopes: sessionScopes(role),
    teams: teams.map(each => ({ id: each.id, name: each.name, role: each.role as Role })),
    csrf_token: session.csrf,
    expires_at: iso(session.expires_at),
  }
}
