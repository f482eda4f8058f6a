import { query } from './query.ts'

export interface CheckRow {
  monitor_id: number
  checked_at: number
  run_id: string
  probe: string | null
  region: string | null
  /** 0 offline, 1 online, 2 the probe could not look. */
  status: number
  response_time_ms: number | null
  error_kind: string | null
  error_message: string | null
  /** JSON object. */
  timings: string | null
}

export const checkColumns = {
  monitor_id: 'c.monitor_id',
  checked_at: 'c.checked_at',
  run_id: 'c.run_id',
  probe: 'p.name',
  region: 'p.region',
  status: 'c.status',
  response_time_ms: 'c.response_time_ms',
  error_kind: 'c.error_kind',
  error_message: 'c.error_message',
  timings: 'c.timings',
}
/** Probes of the instance have team 0, so the id alone is what joins; ids are unique among all teams. */
export const checksFrom = 'checks c left join probes p on p.id = c.probe_id and p.team_id in (0, c.team_id)'

export const checkByRun = query<{ checked_at: number }>(
  'check.byRun',
  `select checked_at from checks where team_id = @team_id and monitor_id = @monitor_id and run_id = @run_id`,
)

/** What metrics of single checks are made of. */
export const checksBetween = query<Pick<CheckRow, 'checked_at' | 'status' | 'response_time_ms'>>(
  'check.between',
  `select checked_at, status, response_time_ms from checks
   where team_id = @team_id and monitor_id = @monitor_id and checked_at >= @from and checked_at < @to
   order by checked_at, run_id limit @limit`,
)

export const insertCheck = query(
  'check.insert',
  `insert into checks (team_id, monitor_id, checked_at, run_id, probe_id, status, response_time_ms, error_kind,
     error_message, timings, details)
   values (@team_id, @monitor_id, @checked_at, @run_id, @probe_id, @status_code, @response_time_ms, @error_kind,
     @error_message, @timings, @details)
   on conflict do nothing`,
)
