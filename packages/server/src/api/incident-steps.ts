import type { IncidentSource } from '@watchpost/contract'
import {
  addIncidentMonitor,
  addIncidentPage,
  clearIncidentMonitors,
  clearIncidentPages,
  type Db,
  type IncidentLinkRow,
  type IncidentRow,
  insertIncident,
  insertIncidentUpdate,
  monitorsOfIncidents,
  pagesOfIncidents,
  type Step,
  updateIncident,
} from '@watchpost/store'
import { type IncidentSettings, resolvedAt } from '../domain/incident.ts'
import { eventStep, newEventId } from './event.ts'
import { iso, isoOrNull } from './time.ts'

/** An incident with what it affects and where it is shown. */
export type KeptIncident = Omit<IncidentRow, keyof IncidentSettings | 'source'> &
  IncidentSettings & { source: IncidentSource }

/** Incidents of a team with their monitors and pages. */
export async function withLinks(db: Db, team_id: number, rows: IncidentRow[]): Promise<KeptIncident[]> {
  if (rows.length === 0) return []
  const params = { team_id, ids: rows.map(({ id }) => id) }
  const [monitors, pages] = await Promise.all([db.all(monitorsOfIncidents, params), db.all(pagesOfIncidents, params)])
  const linked = (links: IncidentLinkRow[], id: number) =>
    links.filter(({ incident_id }) => incident_id === id).map(link => link.id)
  return rows.map(row => ({
    ...(row as IncidentRow & Pick<KeptIncident, 'status' | 'severity' | 'source'>),
    monitor_ids: linked(monitors, row.id),
    status_page_ids: linked(pages, row.id),
  }))
}

/** A new incident, not yet kept. */
export function newIncident(
  key: { team_id: number; id: number; auto_monitor_id: number | null },
  settings: IncidentSettings,
  now: number,
): KeptIncident {
  return {
    ...key,
    ...settings,
    seq: 0,
    source: key.auto_monitor_id === null ? 'manual' : 'automatic',
    resolved_at: resolvedAt(settings, null, now),
    created_at: now,
    updated_at: now,
  }
}

/** Keeps a new incident, and writes the event that says so. @param echo whether a status change says it, too */
export function createSteps(incident: KeptIncident, echo = false): Step[] {
  const { team_id, created_at } = incident
  return [
    { query: insertIncident, params: columns(incident), expect: 1 },
    ...monitorSteps(incident),
    ...pageSteps(incident),
    eventStep(
      team_id,
      { event: 'incident.created', timestamp: iso(created_at), data: eventData(incident) },
      created_at,
      { echo },
    ),
  ]
}

/**
 * Changes an incident, if it is still what it was, and writes the event that says so.
 * @param message what its timeline says of it, if anything
 * @param how `echo` whether a status change says it, too; `about` the monitors that the event names, where it is told to
 * those of others than it has now
 */
export function changeSteps(
  before: KeptIncident,
  after: KeptIncident,
  message: string | null,
  { echo = false, about = after.monitor_ids, event_id = newEventId() } = {},
): Step[] {
  const { team_id, id, status, updated_at } = after
  const steps: Step[] = [{ query: updateIncident, params: changedColumns(before, after), expect: 1 }]
  if (before.monitor_ids.join() !== after.monitor_ids.join()) {
    steps.push({ query: clearIncidentMonitors, params: { team_id, id } }, ...monitorSteps(after))
  }
  if (before.status_page_ids.join() !== after.status_page_ids.join()) {
    steps.push({ query: clearIncidentPages, params: { team_id, id } }, ...pageSteps(after))
  }
  const update = message === null ? null : { id: updateIdOf(before), message, status, created_at: updated_at }
  if (update !== null) {
    const { id: update_id, ...entry } = update
    steps.push({ query: insertIncidentUpdate, params: { team_id, incident_id: id, update_id, ...entry }, expect: 1 })
  }
  steps.push(
    eventStep(
      team_id,
      {
        event: 'incident.updated',
        timestamp: iso(updated_at),
        data: {
          ...eventData({ ...after, monitor_ids: about }),
          old_status: before.status,
          update: update && { ...update, created_at: iso(updated_at) },
        },
      },
      updated_at,
      { echo },
      event_id,
    ),
  )
  return steps
}

/** Every change has a number of its own in its incident, which an entry made with it takes. */
export const updateIdOf = (before: { seq: number }): number => before.seq + 1

function columns({ monitor_ids: _, status_page_ids: __, ...row }: KeptIncident) {
  return row
}

/** What is written of a change: where it came from stays as it was. */
function changedColumns({ seq }: KeptIncident, after: KeptIncident) {
  const { source: _, auto_monitor_id: __, created_at: ___, ...row } = columns(after)
  return { ...row, seq }
}

function monitorSteps({ team_id, id, monitor_ids }: KeptIncident): Step[] {
  return monitor_ids.map((monitor_id, position) => ({
    query: addIncidentMonitor,
    params: { team_id, id, monitor_id, position },
    expect: 1,
  }))
}

function pageSteps({ team_id, id, status_page_ids }: KeptIncident): Step[] {
  return status_page_ids.map((page_id, position) => ({
    query: addIncidentPage,
    params: { team_id, id, page_id, position },
    expect: 1,
  }))
}

function eventData(incident: KeptIncident) {
  return {
    incident_id: incident.id,
    title: incident.title,
    status: incident.status,
    severity: incident.severity,
    source: incident.source,
    monitor_ids: incident.monitor_ids,
    status_page_ids: incident.status_page_ids,
    started_at: iso(incident.started_at),
    resolved_at: isoOrNull(incident.resolved_at),
  }
}
