import { ApiError, type Invitation, invitationRoutes, type Role } from '@watchpost/contract'
import {
  ConflictError,
  ConstraintError,
  deleteInvitation,
  type InvitationRow,
  insertUser,
  invitationByHash,
  invitationById,
  invitationColumns,
  joinTeam,
  type OpenInvitationRow,
  type Step,
  takeInvitation,
  userByEmail,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { isStillInvited } from '../domain/members.ts'
import { mayActAs } from '../domain/roles.ts'
import { found, type Handlers, type Visitor } from '../http/handler.ts'
import { columnsByName, listRows } from '../http/list.ts'
import { refuse } from '../http/validate.ts'
import { hashPassword } from '../password.ts'
import { hashToken } from '../secrets.ts'
import { provenUser } from './credentials.ts'
import { pathId, takeId } from './ids.ts'
import { type Proven, startSession } from './start-session.ts'
import { iso } from './time.ts'

export const invitationHandlers: Handlers<typeof invitationRoutes> = {
  async listInvitations({ query, caller, context }) {
    const { rows, total } = await listRows<InvitationRow>(context.db, query, {
      route: invitationRoutes.listInvitations,
      name: 'invitation.list',
      columns: columnsByName(invitationColumns),
      from: 'invitations',
      where: 'team_id = @team_id and expires_at > @now',
      params: { team_id: caller.team_id, now: context.now() },
    })
    return { rows: rows.map(invitationView), total }
  },

  revokeInvitation: found({
    async find({ params, caller, context }) {
      const id = pathId(params.id)
      return id === undefined ? undefined : context.db.one(invitationById, { team_id: caller.team_id, id })
    },
    async handle({ caller, context }, { team_id, id, role }) {
      if (!mayActAs(caller.role, role as Role)) {
        throw new ApiError('forbidden', `Your role is ${caller.role}; this invitation's is ${role}`)
      }
      await context.db.commit([{ query: deleteInvitation, params: { team_id, id } }])
      return undefined
    },
  }),

  getInvitation: found({
    find: findOpen,
    async handle({ context }, { email, role, team_name, expires_at }) {
      const has_account = (await context.db.one(userByEmail, { email })) !== undefined
      return { email, role: role as Role, team: team_name, has_account, expires_at: iso(expires_at) }
    },
  }),

  acceptInvitation: found({
    find: findOpen,
    async handle({ params, body, caller, context }, { team_id, email, role }) {
      const created_at = context.now()
      const { user, steps } = await accountOf(context, caller, email, body.password)
      try {
        return await startSession(context, caller, user, team_id, [
          { query: takeInvitation, params: { hash: hashToken(params.token) }, expect: 1 },
          ...steps,
          { query: joinTeam, params: { team_id, user_id: user.id, role, created_at } },
        ])
      } catch (error) {
        // Somebody else was quicker: with this invitation, or in making an account of this address.
        if (error instanceof ConflictError || error instanceof ConstraintError) {
          throw new ApiError('conflict', 'The invitation or the account has just changed; look again')
        }
        throw error
      }
    },
  }),
}

interface OfInvitation {
  params: { token: string }
  context: Context
}

/** An invitation that is good now: not used, not expired, and sent by somebody who could send it now. */
async function findOpen({ params, context }: OfInvitation): Promise<OpenInvitationRow | undefined> {
  const row = await context.db.one(invitationByHash, { hash: hashToken(params.token) })
  if (row === undefined || row.expires_at <= context.now()) return undefined
  const inviter = row.invited_by === null ? undefined : (row.inviter_role as Role | null)
  return isStillInvited(row.role as Role, inviter) ? row : undefined
}

/** Whoever was invited, proven by their log-in or password, or with what makes an account for them. */
async function accountOf(
  context: Context,
  visitor: Visitor,
  email: string,
  password: string | undefined,
): Promise<{ user: Proven; steps: Step[] }> {
  const known = await context.db.one(userByEmail, { email })
  if (known !== undefined && password === undefined && visitor.session?.user_id === known.id) {
    return { user: known, steps: [] }
  }
  if (password === undefined) return refuse({ password: 'is required' }) as never
  if (known !== undefined) return { user: await provenUser(context, visitor, { email, password }), steps: [] }
  if (password.length < 10) refuse({ password: 'must have at least 10 characters' })
  const user = { id: await takeId(context.db, 'user'), email, password_hash: await hashPassword(password) }
  return { user, steps: [{ query: insertUser, params: { ...user, created_at: context.now() } }] }
}

function invitationView(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role as Role,
    created_at: iso(row.created_at),
    expires_at: iso(row.expires_at),
  }
}
