import { randomUUID } from 'node:crypto'
import type { IncidentCreated, IncidentUpdated, MonitorStatusChanged, UsageThreshold } from '@watchpost/contract'
import { insertEvent, type Step } from '@watchpost/store'

export type Event = MonitorStatusChanged | IncidentCreated | IncidentUpdated | UsageThreshold

/** Writes an event to the outbox: a step of the commit that makes it happen, so that neither is there alone. */
export function eventStep(team_id: number, body: Event, now: number): Step {
  const params = {
    team_id,
    id: `msg_${randomUUID().replaceAll('-', '')}`,
    event: body.event,
    body: JSON.stringify(body),
    created_at: now,
  }
  return { query: insertEvent, params }
}
