import { routes, type Team } from '@watchpost/contract'
import type { Verb } from '../../command.ts'
import { flagsOf } from '../../flags.ts'
import { teamView } from '../../format/team.ts'
import { fileOption, readBody, requireFields } from '../../verbs/body.ts'
import { sendForItem } from '../../verbs/send.ts'

export const updateTeam: Verb = {
  name: 'update',
  summary: 'Rename your team',
  flags: () => flagsOf(routes.updateTeam.body),
  options: () => [fileOption()],
  examples: ['team update --name "Acme operations"'],
  async run({ session, given, flags }) {
    const body = await readBody(flags, given, session.io)
    requireFields(flags, body)
    const { data, message } = await sendForItem<Team>(session.client, 'updateTeam', { body })
    if (session.out.format === 'table') session.out.note(`${message}.`)
    await session.out.item(data, teamView)
  },
}
