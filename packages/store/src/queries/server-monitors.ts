import { query } from './query.ts'

/** The monitor of a probe that has none, unless another replica was first. */
export const insertServerMonitor = query(
  'serverMonitor.insert',
  `insert into monitors (team_id, id, name, target, type, interval_s, timeout_s, method, ssl_verify, enabled,
     is_active, options, version, created_at, updated_at, probe_id)
   values (@team_id, @id, @name, @name, 'server', @interval_s, @timeout_s, 'get', 1, 1, 1, '{}', 1, @created_at,
     @created_at, @probe_id)
   on conflict do nothing`,
)

/** A probe reports on its own monitor; it is never leased. */
export const grantServerMonitor = query(
  'serverMonitor.grant',
  'insert into grants (team_id, monitor_id, probe_id) values (@team_id, @monitor_id, @probe_id)',
)

export const probeIsWatched = query(
  'serverMonitor.probeIsWatched',
  'update probes set watched = 1 where id = @probe_id and watched = 0 and deleted_at is null',
)

/** Probes that were never given a monitor: those of the instance, and those of before there were such monitors. */
export const unwatchedProbes = query<{ team_id: number; id: number; name: string }>(
  'serverMonitor.unwatchedProbes',
  'select team_id, id, name from probes where watched = 0 and deleted_at is null order by id limit @limit',
)

export interface ServerMonitorRow {
  team_id: number
  id: number
  version: number
  enabled: number
  interval_s: number
  options: string
}
export const serverMonitorOf = query<ServerMonitorRow>(
  'serverMonitor.ofProbe',
  'select team_id, id, version, enabled, interval_s, options from monitors where probe_id = @probe_id',
)

/** A server monitor, and when its probe was heard. */
export interface WatchedRow {
  id: number
  probe_id: number
  version: number
  interval_s: number
  options: string
  status: string
  last_check_at: number | null
  counts_from: number
  last_seen_at: number
  heartbeat_at: number | null
}
/** Of probes that were heard at all: what was never there is not lost. */
export const watchedProbes = query<WatchedRow>(
  'serverMonitor.watched',
  `select m.id, m.probe_id, m.version, m.interval_s, m.options, s.status, s.last_check_at, s.counts_from,
     p.last_seen_at, h.at as heartbeat_at
   from monitors m
   join monitor_states s on s.team_id = m.team_id and s.monitor_id = m.id
   join probes p on p.id = m.probe_id
   left join heartbeats h on h.team_id = p.team_id and h.probe_id = p.id
   where m.probe_id is not null and m.enabled = 1 and p.last_seen_at is not null and p.deleted_at is null
   order by m.id`,
)
