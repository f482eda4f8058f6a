import { ApiError, type Plan, type Team, type teamRoutes } from '@watchpost/contract'
import { renameTeam, teamById } from '@watchpost/store'
import type { Context } from '../context.ts'
import type { Handlers, UserCaller } from '../http/handler.ts'

export const teamHandlers: Handlers<typeof teamRoutes> = {
  getTeam: ({ caller, context }) => teamOf(context, caller),

  async updateTeam({ body, caller, context }) {
    await context.db.commit([{ query: renameTeam, params: { id: caller.team_id, name: body.name } }])
    return teamOf(context, caller)
  },
}

async function teamOf(context: Context, caller: UserCaller): Promise<Team> {
  const team = await context.db.one(teamById, { id: caller.team_id })
  if (team === undefined) throw new ApiError('not_found', 'Not found')
  const { id, name } = team
  const plan = team.plan as Plan
  return { id, name, plan, caller: { role: caller.role, scopes: [...caller.scopes] } }
}
