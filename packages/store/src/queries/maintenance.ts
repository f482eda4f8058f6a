import { query } from './query.ts'

export interface MaintenanceWindowRow {
  team_id: number
  id: number
  /** Counts the writes: a writer that read another version decides again. */
  version: number
  title: string
  description: string | null
  all_monitors: number
  starts_at: number
  ends_at: number
  time_zone: string
  /** JSON object, null for once. */
  recurrence: string | null
  created_at: number
  updated_at: number
  /** Source of the files that say what it is; null where people do. */
  managed_by: string | null
}

export const maintenanceWindowById = query<MaintenanceWindowRow>(
  'maintenance.byId',
  'select * from maintenance_windows where team_id = @team_id and id = @id',
)

export const maintenanceWindowsOf = query<MaintenanceWindowRow>(
  'maintenance.ofTeams',
  'select * from maintenance_windows where team_id in (@team_ids...) order by team_id, id',
)

export const manageMaintenanceWindows = query(
  'maintenance.manage',
  'update maintenance_windows set managed_by = @source where team_id = @team_id and id in (@ids...)',
)

export interface MaintenanceLinkRow {
  window_id: number
  monitor_id: number
}

export const monitorsOfMaintenance = query<MaintenanceLinkRow>(
  'maintenance.monitors',
  `select window_id, monitor_id from maintenance_monitors where team_id in (@team_ids...)
   order by window_id, monitor_id`,
)

export const monitorsOfWindow = query<MaintenanceLinkRow>(
  'maintenance.monitorsOf',
  `select window_id, monitor_id from maintenance_monitors where team_id = @team_id and window_id = @id
   order by monitor_id`,
)

export const insertMaintenanceWindow = query(
  'maintenance.insert',
  `insert into maintenance_windows (team_id, id, version, title, description, all_monitors, starts_at, ends_at,
     time_zone, recurrence, created_at, updated_at)
   values (@team_id, @id, 1, @title, @description, @all_monitors, @starts_at, @ends_at, @time_zone, @recurrence,
     @created_at, @updated_at)`,
)

export const updateMaintenanceWindow = query(
  'maintenance.update',
  `update maintenance_windows set version = version + 1, title = @title, description = @description,
     all_monitors = @all_monitors, starts_at = @starts_at, ends_at = @ends_at, time_zone = @time_zone,
     recurrence = @recurrence, updated_at = @updated_at
   where team_id = @team_id and id = @id and version = @version`,
)

/** As many rows as the team has of these monitors. */
export const addMaintenanceMonitors = query(
  'maintenance.addMonitors',
  `insert into maintenance_monitors (team_id, window_id, monitor_id)
   select m.team_id, cast(@id as bigint), m.id from monitors m where m.team_id = @team_id and m.id in (@ids...)`,
)

export const clearMaintenanceMonitors = query(
  'maintenance.clearMonitors',
  'delete from maintenance_monitors where team_id = @team_id and window_id = @id',
)

/** Everything that is the window's. */
export const deleteMaintenanceWindow = [
  'maintenance_windows where team_id = @team_id and id = @id',
  'maintenance_monitors where team_id = @team_id and window_id = @id',
].map(rows => query(`maintenance.delete ${rows.split(' ')[0]}`, `delete from ${rows}`))

/**
 * Says that a team's windows have changed, after `sequence.take` of `maintenance_change` in the same commit: that row is
 * held until the end of the commit, so numbers become visible in their order.
 */
export const markMaintenanceChange = query(
  'maintenance.markChange',
  `insert into maintenance_changes (team_id, value)
   select cast(@team_id as bigint), value from sequences where name = 'maintenance_change'
   on conflict (team_id) do update set value = excluded.value`,
)

export const maintenanceChangesSince = query<{ team_id: number; value: number }>(
  'maintenance.changesSince',
  'select team_id, value from maintenance_changes where value > @seen',
)

/** A monitor whose status receivers do not know yet. */
export interface UnannouncedRow {
  team_id: number
  id: number
  name: string
  /** JSON object. */
  options: string
  seq: number
  status: string
  announced_status: string
  response_time_ms: number | null
}
export const unannouncedMonitors = query<UnannouncedRow>(
  'maintenance.unannounced',
  `select s.team_id, m.id, m.name, m.options, s.seq, s.status, s.announced_status, s.response_time_ms
   from monitor_states s
   join monitors m on m.team_id = s.team_id and m.id = s.monitor_id
   where s.announced_status is not null`,
)

/** Receivers know what the monitor is, if nobody has written since it was read. */
export const settleAnnouncement = query(
  'maintenance.settle',
  `update monitor_states set seq = seq + 1, announced_status = null
   where team_id = @team_id and monitor_id = @id and seq = @seq and announced_status is not null`,
)

/** Due at once, whoever holds it. */
export const checkAgain = query(
  'maintenance.checkAgain',
  `update monitor_states set seq = seq + 1, due_at = @now, lease_until = 0
   where team_id = @team_id and monitor_id = @id and seq = @seq and due_at is not null`,
)
