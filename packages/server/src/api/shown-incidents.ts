import type { StatusPayload } from '@watchpost/contract'
import type { ShownIncident } from '@watchpost/status-page'
import { type Db, monitorsOfIncidents, type ShownIncidentRow, updatesOfIncidents } from '@watchpost/store'
import { iso, isoOrNull } from './time.ts'

/** An incident as the payload of a page has it. */
export function shownIncident({
  monitor_name,
  created_at: _,
  ...incident
}: ShownIncidentRow): StatusPayload['incidents'][number] {
  return {
    ...incident,
    // Text in the specification; an incident that names the page need not affect a monitor on it.
    monitor_name: monitor_name ?? '',
    started_at: iso(incident.started_at),
    resolved_at: isoOrNull(incident.resolved_at),
  }
}

/** Incidents as people are shown them: with what was said of each. @param onPage monitors that the page shows */
export async function incidentsForPeople(
  db: Db,
  team_id: number,
  rows: readonly ShownIncidentRow[],
  onPage: ReadonlySet<number>,
): Promise<ShownIncident[]> {
  const ids = rows.map(({ id }) => id)
  const [updates, links] = await Promise.all([
    db.all(updatesOfIncidents, { team_id, ids }),
    db.all(monitorsOfIncidents, { team_id, ids }),
  ])
  const updatesOf = Map.groupBy(updates, ({ incident_id }) => incident_id)
  const linksOf = Map.groupBy(
    links.filter(link => onPage.has(link.id)),
    ({ incident_id }) => incident_id,
  )
  return rows.map(row => ({
    ...shownIncident(row),
    created_at: iso(row.created_at),
    monitor_ids: (linksOf.get(row.id) ?? []).map(({ id }) => id),
    updates: (updatesOf.get(row.id) ?? []).map(({ id, message, status, created_at }) => ({
      id,
      message,
      status,
      created_at: iso(created_at),
    })),
  }))
}
