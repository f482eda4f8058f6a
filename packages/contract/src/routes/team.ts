import { route } from '../route.ts'
import { Team, TeamPatch } from '../schema/team.ts'

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
  updateTeam: route({
    method: 'PATCH',
    path: '/v1/team',
    surface: 'user',
    role: 'admin',
    summary: 'Rename your team',
    body: TeamPatch,
    envelope: 'updated',
    reply: Team,
    message: 'Team renamed',
  }),
}
