import type { Verb } from '../../command.ts'
import { teamView } from '../../format/team.ts'

export const getTeam: Verb = {
  name: 'get',
  summary: 'Show your team, and your role in it',
  examples: ['team get', 'team get -o json'],
  async run({ session }) {
    const { data } = await session.client.getTeam()
    await session.out.item(data, teamView)
  },
}
