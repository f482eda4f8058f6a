import { type AddedMember, ApiError, type Member, memberRoutes, type Role } from '@watchpost/contract'
import {
  ConflictError,
  ConstraintError,
  changeMember,
  countOtherOwners,
  deleteInvitationTo,
  deleteMemberSessions,
  holdTeam,
  insertMember,
  insertUser,
  type MemberRow,
  memberById,
  memberColumns,
  memberFrom,
  putInvitation,
  removeMember,
  type Step,
  sweepInvitations,
  teamsOfUser,
  userByEmail,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { judgeMemberChange } from '../domain/members.ts'
import { mayActAs } from '../domain/roles.ts'
import { found, type Handlers, type UserCaller } from '../http/handler.ts'
import { listRows } from '../http/list.ts'
import { refuse } from '../http/validate.ts'
import { hashPassword } from '../password.ts'
import { hashToken, newToken } from '../secrets.ts'
import { keptEmail } from './credentials.ts'
import { pathId, takeId } from './ids.ts'
import { iso } from './time.ts'

/** How long an invitation is good. */
const invitationMs = 7 * 24 * 3_600_000

export const memberHandlers: Handlers<typeof memberRoutes> = {
  async listMembers({ query, caller, context }) {
    const { rows, total } = await listRows<MemberRow>(context.db, query, {
      route: memberRoutes.listMembers,
      name: 'member.list',
      columns: memberColumns,
      from: memberFrom,
      where: 'm.team_id = @team_id',
      params: { team_id: caller.team_id },
    })
    return { rows: rows.map(memberView), total }
  },

  async addMember({ body, caller, context }) {
    const email = keptEmail(body.email)
    const role = body.role ?? 'member'
    if (!mayActAs(caller.role, role)) refuse({ role: `must not be above your own role, ${caller.role}` })
    const user = await context.db.one(userByEmail, { email })
    if (user !== undefined) {
      const teams = await context.db.all(teamsOfUser, { user_id: user.id })
      if (teams.some(({ id }) => id === caller.team_id)) refuse({ email: 'is a member already' })
      if (body.password !== undefined) refuse(hasAccount)
    }
    if (body.password === undefined) return invite(context, caller, email, role)
    return makeMember(context, caller.team_id, { email, role, password: body.password })
  },

  updateMember: found({
    find: findMember,
    handle: async ({ body, caller, context }, member) =>
      memberView({ ...(await changeTo(context, caller, member, body.role)), role: body.role }),
  }),

  removeMember: found({
    find: findMember,
    async handle({ caller, context }, member) {
      await changeTo(context, caller, member, undefined)
      return undefined
    },
  }),
}

const hasAccount = { email: 'has an account already; leave the password out to invite them' }

interface OfMember {
  params: { id: string }
  caller: UserCaller
  context: Context
}

async function findMember({ params, caller, context }: OfMember): Promise<MemberRow | undefined> {
  const id = pathId(params.id)
  return id === undefined ? undefined : context.db.one(memberById, { team_id: caller.team_id, id })
}

/** Times a change is decided anew because somebody else changed the team in between. */
const attempts = 10

/** @param role undefined to remove the member */
async function changeTo(
  context: Context,
  caller: UserCaller,
  member: MemberRow,
  role: Role | undefined,
  attempt = 1,
): Promise<MemberRow> {
  const { team_id, id: user_id, role: old_role } = member
  const others = await context.db.one(countOtherOwners, { team_id, user_id })
  const refusal = judgeMemberChange({
    actor: caller.role,
    from: old_role as Role,
    to: role,
    otherOwners: others?.count ?? 0,
    // A token is made for work: it does not take its maker out of the team.
    leaves: role === undefined && caller.session?.user_id === user_id,
  })
  if (refusal?.code === 'validation_failed') refuse({ role: refusal.message })
  if (refusal !== undefined) throw new ApiError(refusal.code, refusal.message)
  const key = { team_id, user_id, old_role }
  const steps: Step[] =
    role === undefined
      ? [
          { query: removeMember, params: key, expect: 1 },
          { query: deleteMemberSessions, params: { team_id, user_id } },
        ]
      : [{ query: changeMember, params: { ...key, role }, expect: 1 }]
  try {
    // Two owners who remove each other at the same moment: one waits, and finds themselves the last.
    await context.db.commit([{ query: holdTeam, params: { team_id } }, ...steps])
    return member
  } catch (error) {
    if (!(error instanceof ConflictError) || attempt === attempts) throw error
    const current = await context.db.one(memberById, { team_id, id: user_id })
    if (current === undefined) throw new ApiError('not_found', 'Not found')
    return changeTo(context, caller, current, role, attempt + 1)
  }
}

/** An invitation; what is returned holds its text, which is nowhere else. */
async function invite(context: Context, caller: UserCaller, email: string, role: Role): Promise<AddedMember> {
  const { team_id } = caller
  const token = newToken('invitation')
  const id = await takeId(context.db, 'invitation')
  const created_at = context.now()
  const expires_at = created_at + invitationMs
  const row = { team_id, id, email, role, hash: hashToken(token), invited_by: caller.user_id, created_at, expires_at }
  await context.db.commit([
    { query: sweepInvitations, params: { team_id, at: created_at } },
    { query: putInvitation, params: row },
  ])
  return {
    ...{ id: null, email, role, created_at: iso(created_at), invitation_id: id, token },
    // Behind the #, so that it stands in no log of any proxy.
    invitation_url: `${context.siteUrl()}/invitation#${token}`,
    expires_at: iso(expires_at),
  }
}

/** An account that did not exist, in the team at once. */
async function makeMember(
  context: Context,
  team_id: number,
  given: { email: string; role: Role; password: string },
): Promise<AddedMember> {
  const { email, role } = given
  const id = await takeId(context.db, 'user')
  const created_at = context.now()
  const password_hash = await hashPassword(given.password)
  try {
    await context.db.commit([
      { query: insertUser, params: { id, email, password_hash, created_at } },
      { query: insertMember, params: { team_id, user_id: id, role, created_at } },
      { query: deleteInvitationTo, params: { team_id, email } },
    ])
  } catch (error) {
    if (error instanceof ConstraintError) refuse(hasAccount)
    throw error
  }
  const none = { invitation_id: null, token: null, invitation_url: null, expires_at: null }
  return { id, email, role, created_at: iso(created_at), ...none }
}

function memberView(row: MemberRow): Member {
  return { id: row.id, email: row.email, role: row.role as Role, created_at: iso(row.created_at) }
}
