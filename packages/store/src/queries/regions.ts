import { query } from './query.ts'

/** What one region says of a monitor, and when it is asked next. */
export interface RegionRow {
  region: string
  since: number
  status: string
  failures: number
  last_check_at: number | null
  response_time_ms: number | null
  probe_id: number | null
  due_at: number | null
}

export const regionsOfMonitor = query<RegionRow>(
  'region.ofMonitor',
  `select region, since, status, failures, last_check_at, response_time_ms, probe_id, due_at from monitor_regions
   where team_id = @team_id and monitor_id = @monitor_id`,
)

/** Probes that were given a monitor, and where they are. */
export const grantedProbes = query<{ probe_id: number; region: string }>(
  'region.grantedProbes',
  `select g.probe_id, p.region from grants g
   join probes p on p.id = g.probe_id and p.team_id in (0, g.team_id)
   where g.team_id = @team_id and g.monitor_id = @monitor_id`,
)

/** A region that is asked at once; what it has said so far stays. */
export const startRegion = query(
  'region.start',
  `insert into monitor_regions (team_id, monitor_id, region, since, status, failures, due_at, lease_until, lease_holds)
   values (@team_id, @monitor_id, @region, @since, 'pending', 0, @due_at, 0, 0)
   on conflict (team_id, monitor_id, region) do update set due_at = excluded.due_at, lease_until = 0,
     avoid_probe_id = null`,
)

/** What the regions said was of something else. */
export const clearRegions = query(
  'region.clear',
  'delete from monitor_regions where team_id = @team_id and monitor_id = @monitor_id',
)

/** Regions that are not named any more. */
export const dropRegions = query(
  'region.drop',
  `delete from monitor_regions
   where team_id = @team_id and monitor_id = @monitor_id and region not in (@regions...)`,
)

/** What a region says by now: part of the commit that moves its monitor, which makes sure that nobody else has. */
export const advanceRegion = query(
  'region.advance',
  `update monitor_regions set status = @status, failures = @failures, last_check_at = @last_check_at,
     response_time_ms = @response_time_ms, probe_id = @probe_id, due_at = @due_at,
     avoid_probe_id = cast(@avoid_probe_id as bigint),
     lease_until = case when lease_probe_id = cast(@avoid_probe_id as bigint) then 0
       when lease_holds = 1 then lease_until else 0 end
   where team_id = @team_id and monitor_id = @monitor_id and region = @region`,
)
