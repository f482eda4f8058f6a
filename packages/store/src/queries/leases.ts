import type { MonitorRow } from './monitors.ts'
import { query } from './query.ts'

/** Probes that keep to a schedule of their own and were heard from lately, the one that asks among them. */
const pool = `with pool as (select p.id, p.team_id, p.region from probes p
   where p.deleted_at is null and (p.id = @probe_id or (p.polls_ahead = 1 and p.last_seen_at > cast(@live_from as bigint))))`

/**
 * Whose share a run is, where several probes ask ahead: each has those whose number leaves its rank over, and what nobody
 * has taken a moment after it was due is anybody's, and so is what wants another's look. Who asks only for what is due
 * takes what is there.
 */
const share = (among: string) => `(cast(@holds as bigint) = 0 or s.due_at <= cast(@forsaken as bigint)
   or s.avoid_probe_id is not null or s.monitor_id % (select count(*) from pool where ${among})
     = (select count(*) from pool where ${among} and pool.id < @probe_id))`

/** A failure is confirmed by another probe than saw it, unless none takes it in time. */
const notAvoided = `(s.avoid_probe_id is null or s.avoid_probe_id <> @probe_id or s.due_at <= cast(@forsaken as bigint))`

const leaseUntil = (table: string) => `case when cast(@holds as bigint) = 1 then cast(@until as bigint)
       else cast(@now as bigint) + 30000 + 2000 * coalesce((select m.timeout_s from monitors m
         where m.team_id = ${table}.team_id and m.id = ${table}.monitor_id), 0) end`

/** Chosen once: PostgreSQL may run a subquery again for each row, and lease more than the limit. */
const choose = (table: string, where: string, among: string) => `${pool}, chosen as materialized (
     select s.team_id, s.monitor_id from ${table} s
     where s.due_at <= cast(@until as bigint) and s.lease_until <= cast(@now as bigint)${where}
       and (cast(@team_id as bigint) = 0 or s.team_id = cast(@team_id as bigint))
       and ${notAvoided} and ${share(among)}
     order by s.due_at limit @limit /*postgres: for update of s skip locked*/)
   update ${table} set lease_id = @lease_id, lease_probe_id = @probe_id,
     lease_holds = cast(@holds as bigint), avoid_probe_id = null,
     lease_until = ${leaseUntil(table)}
   where lease_until <= cast(@now as bigint) and (team_id, monitor_id) in (select c.team_id, c.monitor_id from chosen c)`

/**
 * Leases what is due until `@until` and held by nobody, to one probe, under a lease id of its own.
 * The lease is asked for twice: a replica that waited for another's commit must look again.
 */
export const leaseDue = query<{ monitor_id: number }>(
  'lease.due',
  `${choose('monitor_states', '', 'pool.team_id in (0, s.team_id)')} returning monitor_id`,
)

/** The same for monitors that name the region of the probe. */
export const leaseDueRegion = query<{ monitor_id: number }>(
  'lease.dueRegion',
  `${choose('monitor_regions', ' and s.region = @region', 'pool.region = s.region and pool.team_id in (0, s.team_id)')}
     and region = @region returning monitor_id`,
)

/** Whether a region has anything to lease: most instances have none, and nothing to write then. */
export const regionDue = query<{ due: number }>(
  'lease.regionDue',
  `select 1 as due from monitor_regions where region = @region and due_at <= cast(@until as bigint)
     and lease_until <= cast(@now as bigint) limit 1`,
)

export const grantLeased = query(
  'lease.grant',
  `insert into grants (team_id, monitor_id, probe_id)
   select m.team_id, m.id, cast(@probe_id as bigint) from monitors m where m.id in (@ids...)
   on conflict (team_id, monitor_id, probe_id) do nothing`,
)

const leasedColumns = `select m.id, m.team_id, m.type, m.target, m.method, m.interval_s, m.timeout_s, m.ssl_verify,
     m.options, s.due_at, s.lease_until
   from monitors m`
const leasedWhere = 'where m.id in (@ids...) and s.lease_id = @lease_id and s.due_at is not null'

export type LeasedMonitor = MonitorRow & { due_at: number; lease_until: number }
export const leasedMonitors = query<LeasedMonitor>(
  'lease.monitors',
  `${leasedColumns}
   join monitor_states s on s.team_id = m.team_id and s.monitor_id = m.id
   ${leasedWhere}
   union all
   ${leasedColumns}
   join monitor_regions s on s.team_id = m.team_id and s.monitor_id = m.id
   ${leasedWhere}
   order by due_at`,
)

const held = 'lease_until > cast(@now as bigint) and lease_holds = 1'
const tables = ['monitor_states', 'monitor_regions'] as const
const lose = 'insert into lost_leases (probe_id, monitor_id, lost_until) select lease_probe_id, monitor_id, lease_until'
const known = `on conflict (probe_id, monitor_id) do update set lost_until =
   case when lost_leases.lost_until > excluded.lost_until then lost_leases.lost_until else excluded.lost_until end`
const gone = `${held} and lease_probe_id in (select p.id from probes p where p.last_seen_at < cast(@dead_before as bigint))`

/** Takes from probes that are not heard from what they hold ahead, and keeps it to be told to them. */
export const freeLeases = tables.flatMap(table => [
  query(`lease.lose ${table}`, `${lose} from ${table} where ${gone} ${known}`),
  query(`lease.free ${table}`, `update ${table} set lease_until = 0 where ${gone}`),
])

/** Whoever holds the monitor ahead is told that it does so no longer. */
export const loseLeases = tables.map(table =>
  query(
    `lease.loseOf ${table}`,
    `${lose} from ${table} where team_id = @team_id and monitor_id = @monitor_id and ${held} ${known}`,
  ),
)

/** What was taken from a probe, and may still be on its schedule. */
export const lostLeases = query<{ monitor_id: number }>(
  'lease.lost',
  'select monitor_id from lost_leases where probe_id = @probe_id and lost_until > @now order by monitor_id limit 10000',
)

/** It holds them again. */
export const regainLeases = query(
  'lease.regain',
  'delete from lost_leases where probe_id = @probe_id and monitor_id in (@ids...)',
)

export const forgetLostLeases = query(
  'lease.forgetLost',
  `delete from lost_leases where (probe_id, monitor_id) in (
     select probe_id, monitor_id from lost_leases where lost_until < @before limit @limit) returning monitor_id`,
)
