import type { Incident, IncidentStatus, IncidentSummary } from '@watchpost/contract'
import type { Session } from '../session.ts'

/** Where the screen reads incidents from, and what it says of them; a test has its own. */
export interface Source {
  /** The latest hundred, latest first. */
  incidents(): Promise<IncidentSummary[]>
  incident(id: number): Promise<Incident>
  say(id: number, message: string, status?: IncidentStatus): Promise<void>
}

/** Each request has a budget of its own: the screen may be open for days. */
export function sourceOf(session: Session): Source {
  return {
    async incidents() {
      return (await session.oneRound().listIncidents({ query: { per_page: 100 } })).data
    },
    async incident(id) {
      return (await session.oneRound().getIncident({ params: { id } })).data
    },
    async say(id, message, status) {
      const body = status === undefined ? { message } : { message, status }
      await session.oneRound().addIncidentUpdate({ params: { id }, body })
    },
  }
}
