import { query } from './query.ts'

/** A monitor's settings. */
export interface MonitorRow {
  team_id: number
  id: number
  name: string
  target: string
  type: string
  interval_s: number
  timeout_s: number
  method: string
  ssl_verify: number
  enabled: number
  is_active: number
  /** JSON object. */
  options: string
  /** Counts the writes: a writer that read another version decides again. */
  version: number
  created_at: number
  updated_at: number
  /** Source of the files that say what it is; null where people do. */
  managed_by: string | null
}

/** What is known of it: written with every result. */
export interface MonitorStateRow {
  seq: number
  status: string
  failures: number
  last_check_at: number | null
  response_time_ms: number | null
  due_at: number | null
  lease_until: number
  lease_holds: number
  /** Results of checks that started before this are history only. */
  counts_from: number
  /** What receivers were told last, where maintenance kept a later status from them. */
  announced_status: string | null
  /** Hours before this, counted since 1970, are in the rollups of an hour; what came later in those of five minutes. */
  rolled_to: number
}

/** `probe_id` is of server monitors: whom they are about. */
export type MonitorView = MonitorRow & MonitorStateRow & { uptime_24h: number | null; probe_id: number | null }

/**
 * Columns of {@link MonitorView}; the read needs `@hour_from`, the number of the first hour that counts for the uptime.
 * It comes from the hours' rollups, and from those of five minutes since: 36 rows a monitor, however often it is checked.
 */
export const monitorViewColumns = {
  team_id: 'm.team_id',
  id: 'm.id',
  name: 'm.name',
  target: 'm.target',
  type: 'm.type',
  interval_s: 'm.interval_s',
  timeout_s: 'm.timeout_s',
  method: 'm.method',
  ssl_verify: 'm.ssl_verify',
  enabled: 'm.enabled',
  is_active: 'm.is_active',
  options: 'm.options',
  version: 'm.version',
  created_at: 'm.created_at',
  updated_at: 'm.updated_at',
  managed_by: 'm.managed_by',
  probe_id: 'm.probe_id',
  seq: 's.seq',
  status: 's.status',
  failures: 's.failures',
  last_check_at: 's.last_check_at',
  response_time_ms: 's.response_time_ms',
  due_at: 's.due_at',
  lease_until: 's.lease_until',
  lease_holds: 's.lease_holds',
  counts_from: 's.counts_from',
  announced_status: 's.announced_status',
  rolled_to: 's.rolled_to',
  uptime_24h: `(select cast(100.0 * sum(u.up) / nullif(sum(u.up + u.down), 0) as double precision) from (
    select r.up, r.down from rollups r
    where r.series = m.id * 4 + 1 and r.bucket >= cast(@hour_from as bigint) and r.bucket < s.rolled_to
    union all
    select r.up, r.down from rollups r
    where r.series = m.id * 4 and r.bucket >= 12 *
      case when s.rolled_to > cast(@hour_from as bigint) then s.rolled_to else cast(@hour_from as bigint) end
    union all
    select s.open_up, s.open_down where s.open_bucket >= 12 * cast(@hour_from as bigint)) u)`,
}
/** Whether a window covers it; the read needs `@all_covered` and `@covered_ids`. */
export const plannedColumn = 'case when cast(@all_covered as bigint) = 1 or m.id in (@covered_ids...) then 1 else 0 end'

/** Whether somebody has looked lately, as `isWatched` of the server says it; the read needs `@now`. */
export const watchedColumn = `case when s.status <> 'paused' and s.last_check_at is not null
    and s.last_check_at + 3000 * m.interval_s > cast(@now as bigint) then 1
  when s.status <> 'paused' and s.last_check_at is not null
    and s.last_check_at + 1000 * (m.interval_s + 2 * m.timeout_s + 30) > cast(@now as bigint) then 1 else 0 end`

export const monitorViewFrom = 'monitors m join monitor_states s on s.team_id = m.team_id and s.monitor_id = m.id'

const viewColumns = Object.entries(monitorViewColumns)
  .map(([name, expression]) => `${expression} as ${name}`)
  .join(', ')

export const monitorById = query<MonitorView>(
  'monitor.byId',
  `select ${viewColumns} from ${monitorViewFrom} where m.team_id = @team_id and m.id = @id`,
)

/** Every monitor of a team, without its uptime. */
export const monitorsOfTeam = query<MonitorView>(
  'monitor.ofTeam',
  `select ${viewColumns.replace(monitorViewColumns.uptime_24h, 'null')} from ${monitorViewFrom}
   where m.team_id = @team_id order by m.id`,
)

export const manageMonitors = query(
  'monitor.manage',
  'update monitors set managed_by = @source where team_id = @team_id and id in (@ids...)',
)

export const insertMonitor = query(
  'monitor.insert',
  `insert into monitors (team_id, id, name, target, type, interval_s, timeout_s, method, ssl_verify, enabled,
     is_active, options, version, created_at, updated_at)
   values (@team_id, @id, @name, @target, @type, @interval_s, @timeout_s, @method, @ssl_verify, @enabled,
     @is_active, @options, 1, @created_at, @updated_at)`,
)

export const insertMonitorState = query(
  'monitor.insertState',
  `insert into monitor_states (team_id, monitor_id, seq, status, failures, due_at, lease_until, lease_holds,
     counts_from)
   values (@team_id, @monitor_id, 0, @status, 0, @due_at, 0, 0, 0)`,
)

export const updateMonitor = query(
  'monitor.update',
  `update monitors set name = @name, target = @target, interval_s = @interval_s, timeout_s = @timeout_s,
     method = @method, ssl_verify = @ssl_verify, enabled = @enabled, is_active = @is_active, options = @options,
     version = version + 1, updated_at = @updated_at
   where team_id = @team_id and id = @id and version = @version`,
)

/** After a change of settings: due at once, whoever held it, so that it runs with what it is now. */
export const restartMonitor = query(
  'monitor.restart',
  `update monitor_states set seq = seq + 1, status = @status, failures = @failures, due_at = @due_at, lease_until = 0, avoid_probe_id = null,
     counts_from = @counts_from, announced_status = @announced_status
   where team_id = @team_id and monitor_id = @monitor_id and seq = @seq`,
)

/** What a result needs to be judged, whatever the team; `granted` is null where this probe was never given it. */
export interface MonitorForResult {
  team_id: number
  id: number
  name: string
  type: string
  interval_s: number
  timeout_s: number
  options: string
  seq: number
  status: string
  failures: number
  last_check_at: number | null
  response_time_ms: number | null
  due_at: number | null
  counts_from: number
  announced_status: string | null
  open_checks: Uint8Array | null
  filed_due_at: number
  closed_to: number
  open_bucket: number | null
  open_up: number
  open_down: number
  open_errors: number
  open_maintenance: number
  open_us_sum: number
  open_count: number
  open_histogram: Uint8Array | null
  granted: number | null
}
export const monitorForResult = query<MonitorForResult>(
  'monitor.forResult',
  `select m.team_id, m.id, m.name, m.type, m.interval_s, m.timeout_s, m.options, s.seq, s.status, s.failures, s.last_check_at,
     s.response_time_ms, s.due_at, s.counts_from, s.announced_status, s.open_checks, s.filed_due_at, s.closed_to, s.open_bucket, s.open_up, s.open_down,
     s.open_errors, s.open_maintenance, s.open_us_sum, s.open_count, s.open_histogram, g.probe_id as granted
   from monitors m
   join monitor_states s on s.team_id = m.team_id and s.monitor_id = m.id
   left join grants g on g.team_id = m.team_id and g.monitor_id = m.id and g.probe_id = @probe_id
   where m.id = @id`,
)

export const grantOf = query<{ region: string | null }>(
  'monitor.grantOf',
  `select p.region from grants g left join probes p on p.id = g.probe_id and p.team_id in (0, g.team_id)
   where g.team_id = @team_id and g.monitor_id = @monitor_id and g.probe_id = @probe_id`,
)

/** Checks that have not filled a block yet. */
export const openChecks = query<{ open_checks: Uint8Array | null }>(
  'monitor.openChecks',
  'select open_checks from monitor_states where team_id = @team_id and monitor_id = @monitor_id',
)

/**
 * The state after some results, if nobody else has written since it was read. A lease ends with a result that moves
 * the monitor, unless it holds until its time and no other probe is to confirm a failure.
 */
export const advanceMonitor = query(
  'monitor.advance',
  `update monitor_states set seq = @seq, status = @status, failures = @failures, last_check_at = @last_check_at,
     response_time_ms = @response_time_ms, due_at = @due_at, announced_status = @announced_status,
     avoid_probe_id = case when cast(@moved as bigint) = 0 then avoid_probe_id
       else cast(@avoid_probe_id as bigint) end,
     lease_until = case when lease_probe_id = cast(@avoid_probe_id as bigint) then 0
       when lease_holds = 1 or cast(@moved as bigint) = 0 then lease_until else 0 end,
     open_checks = @open_checks, filed_due_at = @filed_due_at, open_bucket = @open_bucket, open_up = @open_up,
     open_down = @open_down, open_errors = @open_errors, open_maintenance = @open_maintenance,
     open_us_sum = @open_us_sum, open_count = @open_count, open_histogram = @open_histogram,
     rolled_to = case when rolled_to > cast(@oldest_hour as bigint) then cast(@oldest_hour as bigint) else rolled_to end
   where team_id = @team_id and monitor_id = @monitor_id and seq = @seen_seq`,
)

/** Who remembers the monitor must read it again: something about it has changed that no result changes. */
export const touchMonitor = query(
  'monitor.touch',
  'update monitor_states set seq = seq + 1 where team_id = @team_id and monitor_id = @monitor_id',
)

/** Nothing about the monitor has been written since it was read: what was decided on it still holds. */
export const holdMonitor = query(
  'monitor.hold',
  `update monitor_states set seq = seq + 1
   where team_id = @team_id and monitor_id = @monitor_id and seq = @seq`,
)

/** Everything that is the monitor's. */
export const deleteMonitor = [
  'monitors where team_id = @team_id and id = @id',
  'monitor_states where team_id = @team_id and monitor_id = @id',
  'grants where team_id = @team_id and monitor_id = @id',
  'page_monitors where team_id = @team_id and monitor_id = @id',
  'incident_monitors where team_id = @team_id and monitor_id = @id',
  'maintenance_monitors where team_id = @team_id and monitor_id = @id',
  'monitor_regions where team_id = @team_id and monitor_id = @id',
  'verdicts where team_id = @team_id and monitor_id = @id',
  'outages where team_id = @team_id and monitor_id = @id',
].map(rows => query(`monitor.delete ${rows.split(' ')[0]}`, `delete from ${rows}`))
