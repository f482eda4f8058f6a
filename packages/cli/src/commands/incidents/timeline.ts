import type { Incident } from '@watchpost/contract'
import { Option } from 'commander'
import type { Call, Verb } from '../../command.ts'
import { parseDuration } from '../../duration.ts'
import { entryView } from '../../format/incidents.ts'
import { canOpenScreen } from '../../io.ts'
import { entriesOf } from '../../timeline/entries.ts'
import { openFirst, sourceOf } from '../../timeline/source.ts'
import { UsageError } from '../../usage-error.ts'
import { idOf } from '../../verbs/id.ts'

const defaultInterval = '5s'
// Each costs a request: a token has a thousand an hour.
const atOnce = 20

export const incidentTimeline: Verb = {
  name: 'timeline',
  summary: 'Follow what is said of incidents, and say more',
  description:
    'What was said of incidents, as it happened: a screen on a terminal, where updates can be written; elsewhere, or with ' +
    `--output, a list of what was said, oldest first, of one incident or of the latest ${atOnce}.`,
  words: [['[ID]', 'only this incident']],
  options: () => [new Option('--interval <time>', `between readings of the screen (default ${defaultInterval})`)],
  examples: ['incidents timeline', 'incidents timeline 3', 'incidents timeline 3 -o json'],
  run: timeline,
}

async function timeline({ session, words, given }: Call): Promise<number | undefined> {
  const { io, out, flags } = session
  const id = words[0] === undefined ? undefined : idOf(words[0])
  const intervalMs = parseDuration(String(given.interval ?? defaultInterval), '--interval')
  if (intervalMs < 500) throw new UsageError('--interval: must be at least 500ms')
  const onScreen = flags.output === undefined && canOpenScreen(io)
  const { client } = session
  const read = async (each: number) => (await client.getIncident({ params: { id: each } })).data
  if (onScreen) {
    const first = id === undefined ? await openFirst(client) : { incidents: [await read(id)], total: 1 }
    const { openTimeline } = await import('../../screens/open-timeline.tsx')
    return openTimeline(session, { source: sourceOf(session), first, id, intervalMs })
  }
  const ids =
    id === undefined ? (await client.listIncidents({ query: { per_page: atOnce } })).data.map(each => each.id) : [id]
  const incidents: Incident[] = []
  for (const each of ids) incidents.push(await read(each))
  const entries = entriesOf(incidents)
  const meta = { total: entries.length, page: 1, per_page: Math.max(1, entries.length), total_pages: 1 }
  await out.list(entries, meta, entryView)
  return undefined
}
