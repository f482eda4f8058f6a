import { ApiError, type sessionRoutes } from '@watchpost/contract'
import {
  ConflictError,
  ConstraintError,
  deleteOtherSessions,
  deleteSession,
  insertMember,
  insertTeam,
  insertUser,
  setPassword,
  switchSession,
  teamsOfUser,
  userByEmail,
  userById,
} from '@watchpost/store'
import { hasTeam } from '../bootstrap.ts'
import type { Context } from '../context.ts'
import { found, type Handlers } from '../http/handler.ts'
import { refuse } from '../http/validate.ts'
import { hashPassword, verifyPassword } from '../password.ts'
import { keptEmail, provenUser } from './credentials.ts'
import { takeId } from './ids.ts'
import { sessionView, startSession } from './start-session.ts'

export const sessionHandlers: Handlers<typeof sessionRoutes> = {
  async logIn({ body, caller, context }) {
    const user = await provenUser(context, caller, body)
    const teams = await context.db.all(teamsOfUser, { user_id: user.id })
    if (teams.length === 0) throw new ApiError('forbidden', 'You are in no team any more; ask to be invited')
    const team = body.team_id === undefined ? teams[0] : teams.find(({ id }) => id === body.team_id)
    if (team === undefined) return refuse({ team_id: 'is no team of yours' }) as never
    try {
      return await startSession(context, caller, user, team.id)
    } catch (error) {
      // The password was changed in this very moment.
      if (error instanceof ConflictError) throw new ApiError('unauthorized', 'E-mail or password is wrong')
      throw error
    }
  },

  getSession: ({ caller, context }) => sessionView(context, caller.session),

  async switchTeam({ body, caller, context }) {
    const { session } = caller
    try {
      const params = { hash: session.hash, team_id: body.team_id }
      // Whoever comes into a team is noted there.
      context.audit?.enter(body.team_id, { id: session.user_id, email: session.email })
      await context.db.commit([{ query: switchSession, params, expect: 1 }])
    } catch (error) {
      if (error instanceof ConflictError) refuse({ team_id: 'is no team of yours' })
      throw error
    }
    return sessionView(context, { ...session, team_id: body.team_id })
  },

  async logOut({ caller, context }) {
    await context.db.commit([{ query: deleteSession, params: { hash: caller.session.hash } }])
    caller.cookie.clear()
    return undefined
  },

  async changePassword({ body, caller, context }) {
    const { session } = caller
    const takeBack = caller.attempt(session.email)
    const user = await context.db.one(userById, { id: session.user_id })
    const old_password_hash = user?.password_hash ?? ''
    const wrong = { current_password: 'is not your password' }
    if (!(await verifyPassword(body.current_password, old_password_hash))) refuse(wrong)
    takeBack()
    const password_hash = await hashPassword(body.new_password)
    try {
      await context.db.commit([
        { query: setPassword, params: { id: session.user_id, password_hash, old_password_hash }, expect: 1 },
        { query: deleteOtherSessions, params: { user_id: session.user_id, hash: session.hash } },
      ])
    } catch (error) {
      if (error instanceof ConflictError) refuse(wrong)
      throw error
    }
    return sessionView(context, session)
  },

  register: found({
    // Before the body is looked at: where strangers may not come in, nothing they say matters.
    async find({ context }) {
      await requireOpen(context)
      return {}
    },
    async handle({ body, caller, context }) {
      const email = keptEmail(body.email)
      const taken = { email: 'has an account already; log in instead' }
      if ((await context.db.one(userByEmail, { email })) !== undefined) refuse(taken)
      const user = { id: await takeId(context.db, 'user'), email, password_hash: await hashPassword(body.password) }
      const team_id = await takeId(context.db, 'team')
      const created_at = context.now()
      const team = { id: team_id, name: body.team, plan: context.config.defaultPlan, created_at }
      try {
        return await startSession(context, caller, user, team_id, [
          { query: insertTeam, params: team },
          { query: insertUser, params: { ...user, created_at } },
          { query: insertMember, params: { team_id, user_id: user.id, role: 'owner', created_at } },
        ])
      } catch (error) {
        if (error instanceof ConstraintError) refuse(taken)
        throw error
      }
    },
  }),
}

async function requireOpen({ config, db }: Context): Promise<void> {
  if (config.registration !== 'open') {
    throw new ApiError('forbidden', 'Registration is closed on this server; ask a team to invite you')
  }
  // The first team is the operator's, whose probes may look into the operator's own network.
  if (!(await hasTeam(db))) {
    throw new ApiError('forbidden', 'This server has no team yet; its operator makes the first with bootstrap')
  }
}
