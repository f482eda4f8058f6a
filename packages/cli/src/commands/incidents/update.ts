import { type Incident, type IncidentStatus, routes } from '@watchpost/contract'
import type { Verb } from '../../command.ts'
import { flagsOf } from '../../flags.ts'
import { incidentView } from '../../format/incidents.ts'
import { UsageError, wrongFlags } from '../../usage-error.ts'
import { fieldsOf, readBody } from '../../verbs/body.ts'
import { idOf } from '../../verbs/id.ts'
import { updateVerb } from '../../verbs/update.ts'

const plain = updateVerb<Incident>({
  route: 'updateIncident',
  view: incidentView,
  summary: 'Change fields of an incident, or say what is new',
  flags: () => [
    ...flagsOf(routes.updateIncident.body),
    ...flagsOf(routes.addIncidentUpdate.body)
      .filter(flag => flag.field === 'message')
      .map(flag => ({ ...flag, required: false })),
  ],
  examples: [
    'incidents update 3 --message "We are looking into it."',
    'incidents update 3 --message "A fix is out." --status monitoring',
    'incidents update 3 --status identified',
    'incidents update 3 --severity critical --monitor-id 7',
  ],
})

export const updateIncident: Verb = {
  ...plain,
  description:
    'Change fields of an incident; what is not given stays. With --message it is an update in its timeline, which ' +
    'status pages show and subscribers read, and --status is that of the update.',
  async run({ session, words, given, flags }) {
    const params = { id: idOf(words[0]) }
    const { message, ...fields } = await readBody(flags, given, session.io, fieldsOf('updateIncident'))
    if (message === undefined && Object.keys(fields).length === 0) {
      throw new UsageError('nothing to change: give a field, such as --title, --message, or -f FILE')
    }
    if (message === '') throw wrongFlags({ '--message': 'must not be empty' })
    const { client, out } = session
    if (message === undefined) {
      const { data, message: done } = await client.updateIncident({ params, body: fields })
      if (out.format === 'table') out.note(`${done}.`)
      return out.item(data, incidentView)
    }
    const { status, ...others } = fields
    // First what can be done again: what has been said has been read.
    if (Object.keys(others).length > 0) await client.updateIncident({ params, body: others })
    const said = { message: message as string, ...(status === undefined ? {} : { status: status as IncidentStatus }) }
    const { message: done } = await client.addIncidentUpdate({ params, body: said })
    const { data } = await client.getIncident({ params })
    if (out.format === 'table') out.note(`${done}.`)
    return out.item(data, incidentView)
  },
}
