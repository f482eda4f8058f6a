import type { Verb } from '../command.ts'
import { callerLine, teamView } from '../format/team.ts'

export const verb: Verb = {
  name: 'whoami',
  summary: 'Who the token is, and what it may do',
  examples: ['whoami', 'whoami -o json'],
  async run({ session }) {
    const { data } = await session.client.getTeam()
    if (session.out.format === 'table') session.out.line(`${callerLine(data)}, at ${session.url}`)
    else await session.out.item(data, teamView)
  },
}
