import { query } from './query.ts'

export interface IncidentRow {
  team_id: number
  id: number
  seq: number
  title: string
  description: string | null
  status: string
  severity: string
  source: string
  /** The monitor that opened it, and whose recovery resolves it. */
  auto_monitor_id: number | null
  started_at: number
  resolved_at: number | null
  created_at: number
  updated_at: number
}

export const incidentColumns =
  'team_id, id, seq, title, description, status, severity, source, auto_monitor_id, started_at, resolved_at, created_at, updated_at'

/** Condition on `incidents`: those that affect a monitor the team still has. */
export const affectsMonitor = `id in (select x.incident_id from incident_monitors x
  join monitors m on m.team_id = x.team_id and m.id = x.monitor_id
  where x.team_id = @team_id and x.monitor_id = @monitor_id)`

export const incidentById = query<IncidentRow>(
  'incident.byId',
  `select ${incidentColumns} from incidents where team_id = @team_id and id = @id`,
)

/** The automatic incident of a monitor that is not over; there is one at most. */
export const openAutomaticIncident = query<IncidentRow>(
  'incident.openAutomatic',
  `select ${incidentColumns} from incidents
   where team_id = @team_id and auto_monitor_id = @monitor_id and resolved_at is null`,
)

/** Those that a monitor opened by itself since a moment, or that were open then, the earliest first. */
export const automaticIncidentsOf = query<IncidentRow>(
  'incident.automaticOf',
  `select ${incidentColumns} from incidents
   where team_id = @team_id and auto_monitor_id = @monitor_id
     and (started_at >= @since or resolved_at is null or resolved_at >= @since)
   order by started_at, id`,
)

/** No row where the monitor has an automatic incident open already: whoever comes second looks again. */
export const insertIncident = query(
  'incident.insert',
  `insert into incidents (team_id, id, seq, title, description, status, severity, source, auto_monitor_id,
     started_at, resolved_at, created_at, updated_at)
   values (@team_id, @id, @seq, @title, @description, @status, @severity, @source, @auto_monitor_id,
     @started_at, @resolved_at, @created_at, @updated_at)
   on conflict do nothing`,
)

/**
 * The incident as it is now, if nobody else has written since it was read, and if it would not be the second automatic
 * one that its monitor has open.
 */
export const updateIncident = query(
  'incident.update',
  `update incidents set seq = seq + 1, title = @title, description = @description, status = @status,
     severity = @severity, started_at = @started_at, resolved_at = @resolved_at, updated_at = @updated_at
   where team_id = @team_id and id = @id and seq = @seq
     and (cast(@resolved_at as bigint) is not null or not exists (select 1 from incidents o
       where o.team_id = incidents.team_id and o.auto_monitor_id = incidents.auto_monitor_id
         and o.resolved_at is null and o.id <> incidents.id))`,
)

/** Everything that is the incident's. */
export const deleteIncident = [
  'incidents where team_id = @team_id and id = @id',
  'incident_monitors where team_id = @team_id and incident_id = @id',
  'incident_pages where team_id = @team_id and incident_id = @id',
  'incident_updates where team_id = @team_id and incident_id = @id',
].map(rows => query(`incident.delete ${rows.split(' ')[0]}`, `delete from ${rows}`))

export interface IncidentLinkRow {
  incident_id: number
  /** Of the monitor or the page. */
  id: number
}

export const monitorsOfIncidents = query<IncidentLinkRow>(
  'incident.monitors',
  `select x.incident_id, m.id from incident_monitors x
   join monitors m on m.team_id = x.team_id and m.id = x.monitor_id
   where x.team_id = @team_id and x.incident_id in (@ids...) order by x.incident_id, x.position`,
)

export const pagesOfIncidents = query<IncidentLinkRow>(
  'incident.pages',
  `select x.incident_id, p.id from incident_pages x
   join status_pages p on p.team_id = x.team_id and p.id = x.page_id
   where x.team_id = @team_id and x.incident_id in (@ids...) order by x.incident_id, x.position`,
)

export const clearIncidentMonitors = query(
  'incident.clearMonitors',
  'delete from incident_monitors where team_id = @team_id and incident_id = @id',
)

export const clearIncidentPages = query(
  'incident.clearPages',
  'delete from incident_pages where team_id = @team_id and incident_id = @id',
)

/** No row where the team has no such monitor. */
export const addIncidentMonitor = query(
  'incident.addMonitor',
  `insert into incident_monitors (team_id, incident_id, monitor_id, position)
   select m.team_id, cast(@id as bigint), m.id, cast(@position as bigint) from monitors m
   where m.team_id = @team_id and m.id = @monitor_id`,
)

/** No row where the team has no such page. */
export const addIncidentPage = query(
  'incident.addPage',
  `insert into incident_pages (team_id, incident_id, page_id, position)
   select p.team_id, cast(@id as bigint), p.id, cast(@position as bigint) from status_pages p
   where p.team_id = @team_id and p.id = @page_id`,
)

/** Which of these monitors are the team's. */
export const monitorsAmong = query<{ id: number }>(
  'incident.monitorsAmong',
  'select id from monitors where team_id = @team_id and id in (@ids...)',
)

/** Which of these pages are the team's. */
export const pagesAmong = query<{ id: number }>(
  'incident.pagesAmong',
  'select id from status_pages where team_id = @team_id and id in (@ids...)',
)

export interface IncidentUpdateRow {
  id: number
  message: string
  status: string
  created_at: number
}

export const updatesOfIncident = query<IncidentUpdateRow>(
  'incident.updates',
  `select id, message, status, created_at from incident_updates
   where team_id = @team_id and incident_id = @incident_id order by id`,
)

/** The timelines of several, each oldest first. */
export const updatesOfIncidents = query<IncidentUpdateRow & { incident_id: number }>(
  'incident.updatesOf',
  `select incident_id, id, message, status, created_at from incident_updates
   where team_id = @team_id and incident_id in (@ids...) order by incident_id, id`,
)

export const insertIncidentUpdate = query(
  'incident.insertUpdate',
  `insert into incident_updates (team_id, incident_id, id, message, status, created_at)
   values (@team_id, @incident_id, @update_id, @message, @status, @created_at)`,
)

export interface ShownIncidentRow {
  id: number
  title: string
  status: string
  severity: string
  started_at: number
  resolved_at: number | null
  created_at: number
  /** As the page calls it; null where the page shows none of the affected monitors. */
  monitor_name: string | null
}

// Monitors that a page shows, by the same rule as `assignment.shown`.
const affectedOnPage = `incident_monitors x
     join page_monitors a on a.team_id = x.team_id and a.monitor_id = x.monitor_id and a.page_id = @page_id
     join monitors m on m.team_id = x.team_id and m.id = x.monitor_id and m.is_active = 1`

// Those of a page: that affect a monitor which it shows, or name the page itself.
const onPage = `i.team_id = @team_id and i.id in (
     select x.incident_id from ${affectedOnPage} where x.team_id = @team_id
     union select p.incident_id from incident_pages p where p.team_id = @team_id and p.page_id = @page_id)`

const shownOnPage = `select i.id, i.title, i.status, i.severity, i.started_at, i.resolved_at, i.created_at,
     (select coalesce(a.display_name, m.name) from ${affectedOnPage}
      where x.team_id = i.team_id and x.incident_id = i.id order by x.position limit 1) as monitor_name
   from incidents i
   where ${onPage}`

/** What a page shows: open ones first, then the latest (specification 2.3, ruling 25). */
export const shownIncidents = query<ShownIncidentRow>(
  'incident.shown',
  `${shownOnPage} order by i.resolved_at is not null, i.started_at desc, i.id desc limit @limit`,
)

/** All that there ever were on a page, the latest first. */
export const pastIncidents = query<ShownIncidentRow>(
  'incident.past',
  `${shownOnPage} order by i.started_at desc, i.id desc limit @limit offset @offset`,
)

export const countPastIncidents = query<{ total: number }>(
  'incident.countPast',
  `select count(*) as total from incidents i where ${onPage}`,
)
