import type { Client, Incident, IncidentStatus } from '@watchpost/contract'
import type { Session } from '../session.ts'
import { type Page, perPage } from './listing.ts'

/** Where the screen reads incidents from, and what it says of them; a test has its own. */
export interface Source {
  /** The open ones, and the latest of the others. */
  incidents(): Promise<Page>
  /** Those of one page. */
  older(page: number): Promise<Page>
  incident(id: number): Promise<Incident>
  say(id: number, message: string, status?: IncidentStatus): Promise<void>
}

/** The pages that hold all open ones: one, as a rule. */
export async function openFirst(client: Client): Promise<Page> {
  const incidents: Page['incidents'] = []
  for (let page = 1; ; page++) {
    const read = await pageOf(client, page)
    incidents.push(...read.incidents)
    const last = read.incidents.at(-1)
    if (last === undefined || last.resolved_at !== null || page * perPage >= read.total) {
      return { incidents, total: read.total }
    }
  }
}

async function pageOf(client: Client, page: number): Promise<Page> {
  // By the alphabet "resolved" is the last status: one request tells of all that are open, and a token may ask only so often.
  const query = { page, per_page: perPage, sort: 'status,-started_at' }
  const { data, meta } = await client.listIncidents({ query })
  return { incidents: data, total: meta.total }
}

/** Each request has a budget of its own: the screen may be open for days. */
export function sourceOf(session: Session): Source {
  return {
    incidents: () => openFirst(session.oneRound()),
    older: page => pageOf(session.oneRound(), page),
    async incident(id) {
      return (await session.oneRound().getIncident({ params: { id } })).data
    },
    async say(id, message, status) {
      const body = status === undefined ? { message } : { message, status }
      await session.oneRound().addIncidentUpdate({ params: { id }, body })
    },
  }
}
