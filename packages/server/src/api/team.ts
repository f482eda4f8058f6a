import { ApiError, type teamRoutes } from '@watchpost/contract'
import { teamById } from '@watchpost/store'
import type { Handlers } from '../http/handler.ts'

export const teamHandlers: Handlers<typeof teamRoutes> = {
  async getTeam({ caller, context }) {
    const team = await context.db.one(teamById, { id: caller.team_id })
    if (team === undefined) throw new ApiError('not_found', 'Not found')
    const { id, name, plan } = team
    return { id, name, plan, caller: { role: caller.role, scopes: [...caller.scopes] } }
  },
}
