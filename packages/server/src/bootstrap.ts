import { type Plan, scopes } from '@watchpost/contract'
import {
  countTeams,
  type Db,
  deleteOtherSessions,
  insertMember,
  insertTeam,
  insertToken,
  insertUser,
  type Step,
  setPassword,
  takeIds,
  userByEmail,
} from '@watchpost/store'
import { keptEmail } from './api/credentials.ts'
import { takeId } from './api/ids.ts'
import { OperatorError } from './config.ts'
import { hashPassword } from './password.ts'
import { hashToken, newPassword, newToken } from './secrets.ts'

/** A team just made: the only time its owner's password and token are shown. */
export interface NewTeam {
  team_id: number
  email: string
  password: string
  api_token: string
}

/** What a new team is called, has, and who owns it. */
export interface TeamToMake {
  email: string
  name: string
  plan: Plan
}

export async function hasTeam(db: Db): Promise<boolean> {
  return ((await db.one(countTeams, {}))?.count ?? 0) > 0
}

/**
 * Makes the first team, its owner, and a token that has every scope.
 * @returns the password and the token, which are nowhere else
 * @throws {OperatorError} when there is a team already; nothing is changed then
 */
export async function bootstrap(db: Db, now: number, given: TeamToMake): Promise<NewTeam> {
  if (await hasTeam(db)) throw new OperatorError('This instance has a team already; nothing was changed')
  // Fixed ids: of two first starts at once, one fails on the key and changes nothing.
  const ids = { team: 1, user: 1, token: 1 }
  const taken = Object.keys(ids).map(noun => ({ query: takeIds, params: { name: noun, count: 1 } }))
  return insertNewTeam(db, now, given, ids, taken)
}

/** Makes one more team with an owner of its own; registration is closed unless an operator opens it. */
export async function createTeam(db: Db, now: number, given: TeamToMake): Promise<NewTeam> {
  const email = keptEmail(given.email)
  if ((await db.one(userByEmail, { email })) !== undefined) throw new OperatorError(`${email} has an account already`)
  const ids = { team: await takeId(db, 'team'), user: await takeId(db, 'user'), token: await takeId(db, 'token') }
  return insertNewTeam(db, now, given, ids, [])
}

async function insertNewTeam(
  db: Db,
  now: number,
  { name, plan, ...given }: TeamToMake,
  ids: { team: number; user: number; token: number },
  more: Step[],
): Promise<NewTeam> {
  const email = keptEmail(given.email)
  const password = newPassword()
  const api_token = newToken('api')
  const token = {
    team_id: ids.team,
    id: ids.token,
    name: 'bootstrap',
    role: 'owner',
    scopes: JSON.stringify(scopes),
    hash: hashToken(api_token),
    created_at: now,
    expires_at: null,
    user_id: ids.user,
  }
  await db.commit([
    { query: insertTeam, params: { id: ids.team, name, plan, created_at: now } },
    {
      query: insertUser,
      params: { id: ids.user, email, password_hash: await hashPassword(password), created_at: now },
    },
    { query: insertMember, params: { team_id: ids.team, user_id: ids.user, role: 'owner', created_at: now } },
    { query: insertToken, params: token },
    ...more,
  ])
  return { team_id: ids.team, email, password, api_token }
}

/**
 * A new password for somebody who has lost theirs, by whoever has access to the server; every log-in of theirs ends.
 * @returns the password, which is nowhere else
 */
export async function resetPassword(db: Db, given: string): Promise<{ email: string; password: string }> {
  const email = keptEmail(given)
  const user = await db.one(userByEmail, { email })
  if (user === undefined) throw new OperatorError(`${email} has no account`)
  const password = newPassword()
  const { id, password_hash: old_password_hash } = user
  await db.commit([
    { query: setPassword, params: { id, password_hash: await hashPassword(password), old_password_hash }, expect: 1 },
    // None has an empty name: it is all of them.
    { query: deleteOtherSessions, params: { user_id: id, hash: '' } },
  ])
  return { email, password }
}
