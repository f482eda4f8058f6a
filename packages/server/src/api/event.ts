import { randomUUID } from 'node:crypto'
import type {
  AlertTriggered,
  ChannelTested,
  IncidentCreated,
  IncidentUpdated,
  MonitorStatusChanged,
  UsageThreshold,
} from '@watchpost/contract'
import { insertEvent, type Step } from '@watchpost/store'

export type Event =
  | MonitorStatusChanged
  | IncidentCreated
  | IncidentUpdated
  | AlertTriggered
  | ChannelTested
  | UsageThreshold

/** What is kept beside an event for those who tell people; the documented body does not say it. */
export interface About {
  /** Says again what a status change has said: the incident that a monitor opens or resolves. */
  echo?: boolean
  /** When the outage began that the event is about. */
  downSince?: number | null
}

/** The `webhook-id` of an event. */
export const newEventId = (): string => `msg_${randomUUID().replaceAll('-', '')}`

/** Writes an event to the outbox: a step of the commit that makes it happen, so that neither is there alone. */
export function eventStep(
  team_id: number,
  body: Event,
  now: number,
  { echo = false, downSince = null }: About = {},
  id = newEventId(),
): Step {
  const params = {
    team_id,
    id,
    event: body.event,
    body: JSON.stringify(body),
    created_at: now,
    echo: Number(echo),
    down_since_at: downSince,
  }
  return { query: insertEvent, params }
}
