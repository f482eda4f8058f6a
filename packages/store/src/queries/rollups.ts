import { query } from './query.ts'

/** Adds one check to its bucket. Percentages are made when read: counts add up, percentages do not. */
export const addToRollup = query(
  'rollup.add',
  `insert into rollups (team_id, monitor_id, resolution_s, bucket_at, up, down, response_time_sum, response_time_count)
   values (@team_id, @monitor_id, @resolution_s, @bucket_at, @up, @down, @response_time_sum, @response_time_count)
   on conflict (team_id, monitor_id, resolution_s, bucket_at) do update set
     up = rollups.up + excluded.up,
     down = rollups.down + excluded.down,
     response_time_sum = rollups.response_time_sum + excluded.response_time_sum,
     response_time_count = rollups.response_time_count + excluded.response_time_count`,
)

export interface BucketRow {
  monitor_id: number
  bucket_at: number
  up: number
  down: number
}

/** Days of the monitors of one page. */
export const pageDays = query<BucketRow>(
  'rollup.pageDays',
  `select r.monitor_id, r.bucket_at, r.up, r.down
   from page_monitors a
   join monitors m on m.team_id = a.team_id and m.id = a.monitor_id and m.is_active = 1
   join rollups r on r.team_id = a.team_id and r.monitor_id = a.monitor_id
     and r.resolution_s = 86400 and r.bucket_at >= @from
   where a.team_id = @team_id and a.page_id = @page_id
   order by a.monitor_id, r.bucket_at`,
)

/** What was seen of one monitor since a moment. */
export const seenSince = query<{ up: number; down: number }>(
  'rollup.seenSince',
  `select coalesce(sum(up), 0) as up, coalesce(sum(down), 0) as down from rollups
   where team_id = @team_id and monitor_id = @monitor_id and resolution_s = @resolution_s and bucket_at >= @from`,
)
