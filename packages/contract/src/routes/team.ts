import { route } from '../route.ts'
import { Team } from '../schema/team.ts'

export const teamRoutes = {
  getTeam: route({
    method: 'GET',
    path: '/v1/team',
    surface: 'user',
    role: 'viewer',
    summary: 'Your team, and your role in it',
    envelope: 'item',
    reply: Team,
  }),
}
