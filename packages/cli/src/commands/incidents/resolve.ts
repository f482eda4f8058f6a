import { routes } from '@watchpost/contract'
import type { Verb } from '../../command.ts'
import { flagsOf } from '../../flags.ts'
import { incidentView } from '../../format/incidents.ts'
import { readBody, requireFields } from '../../verbs/body.ts'
import { idOf } from '../../verbs/id.ts'

// An outage that is over is said to be over in a hurry, and can be reopened: it does not ask.
export const resolveIncident: Verb = {
  name: 'resolve',
  summary: 'Say that an incident is over',
  words: [['<ID>', 'id of the incident']],
  flags: () => flagsOf(routes.addIncidentUpdate.body).filter(flag => flag.field === 'message'),
  examples: ['incidents resolve 3 --message "The disk was replaced."'],
  async run({ session, words, given, flags }) {
    const params = { id: idOf(words[0]) }
    const body = await readBody(flags, given, session.io)
    requireFields(flags, body)
    const said = { message: String(body.message), status: 'resolved' as const }
    await session.client.addIncidentUpdate({ params, body: said })
    const { data } = await session.client.getIncident({ params })
    if (session.out.format === 'table') session.out.note('Incident resolved.')
    await session.out.item(data, incidentView)
  },
}
