import { query } from './query.ts'

/** Resolution 0 is five minutes, 1 an hour, 2 a day; `bucket` counts them since 1970. */
export interface RollupRow {
  bucket: number
  up: number
  down: number
  errors: number
  maintenance: number
  response_us_sum: number
  response_count: number
  /** The histogram; null where there were no response times. */
  data: Uint8Array | null
}

/** Five minutes that are still open lie with the monitor's state: every read of five minutes takes them in. */
const openBucket = `from monitors m
   join monitor_states s on s.team_id = m.team_id and s.monitor_id = m.id
   where m.id = @monitor_id and cast(@resolution as bigint) = 0 and s.open_bucket >= @from and s.open_bucket < @to`

/** What rollups are of, monitor and resolution, in one number: it leads every key. */
const series = 'cast(@monitor_id as bigint) * 4 + cast(@resolution as bigint)'

/** What was counted of one monitor, oldest first. */
export const rollupsOf = query<RollupRow>(
  'rollup.ofMonitor',
  `select r.bucket as bucket, r.up, r.down, r.errors, r.maintenance, r.response_us_sum,
     coalesce(r.response_count, r.up) as response_count, h.data
   from rollups r
   left join histograms h on h.series = r.series and h.bucket = r.bucket
   where r.series = ${series} and r.bucket >= @from and r.bucket < @to
   union all
   select s.open_bucket, s.open_up, s.open_down, s.open_errors, s.open_maintenance, s.open_us_sum, s.open_count,
     s.open_histogram
   ${openBucket}
   order by bucket`,
)

/** Values, never increments: writing it twice changes nothing. Response times are counted where not each that is up has one. */
export const putRollup = query(
  'rollup.put',
  `insert into rollups (series, bucket, up, down, errors, maintenance, response_us_sum, response_count)
   values (${series}, @bucket, cast(@up as bigint), @down, @errors, @maintenance, @response_us_sum,
     nullif(cast(@response_count as bigint), cast(@up as bigint)))
   on conflict (series, bucket) do update set up = excluded.up, down = excluded.down,
     errors = excluded.errors, maintenance = excluded.maintenance, response_us_sum = excluded.response_us_sum,
     response_count = excluded.response_count`,
)

export const putHistogram = query(
  'rollup.putHistogram',
  `insert into histograms (series, bucket, data) values (${series}, @bucket, @data)
   on conflict (series, bucket) do update set data = excluded.data`,
)

/** The monitor's alone: ids are unique among all teams. */
const allSeries = 'series >= cast(@monitor_id as bigint) * 4 and series < cast(@monitor_id as bigint) * 4 + 4'
export const deleteRollups = [
  query('rollup.delete', `delete from rollups where ${allSeries}`),
  query('rollup.deleteHistograms', `delete from histograms where ${allSeries}`),
  query('hostMetrics.delete', `delete from host_metrics where ${allSeries}`),
]

/** A monitor with hours that are over and not rolled up, or a day that is. */
export interface RollupDueRow {
  team_id: number
  monitor_id: number
  seq: number
  rolled_to: number
  /** The first five minutes that are not in an hour yet; null where there are none. */
  first_bucket: number | null
  /** Five minutes that are still with the state. */
  open_bucket: number | null
}
/** In the order of their keys. One without checks is due once a day, so that its last day is closed. */
export const rollupsDue = query<RollupDueRow>(
  'rollup.due',
  `select d.team_id, d.monitor_id, d.seq, d.rolled_to, d.first_bucket, d.open_bucket from (
     select s.team_id, s.monitor_id, s.seq, s.rolled_to, s.open_bucket, (select min(b.bucket) from (
       select min(r.bucket) as bucket from rollups r
       where r.series = s.monitor_id * 4 and r.bucket >= s.rolled_to * 12
         and r.bucket < cast(@hour as bigint) * 12
       union all
       select s.open_bucket where s.open_bucket < cast(@hour as bigint) * 12) b) as first_bucket
     from monitor_states s
     where (s.team_id, s.monitor_id) > (cast(@after_team_id as bigint), cast(@after_monitor_id as bigint))
       and s.rolled_to < cast(@hour as bigint)) d
   where d.first_bucket is not null or d.rolled_to < cast(@hour as bigint) / 24 * 24
   order by d.team_id, d.monitor_id limit @limit`,
)

/**
 * Hours up to `@hour` are in the rollups, if nothing was written of the monitor since it was read. Five minutes of them
 * that were still open are not any more.
 */
export const rolledTo = query(
  'rollup.rolledTo',
  `update monitor_states set seq = seq + 1, rolled_to = cast(@hour as bigint),
     open_bucket = case when open_bucket >= cast(@hour as bigint) * 12 then open_bucket end,
     closed_to = case when closed_to < cast(@hour as bigint) * 12 then cast(@hour as bigint) * 12 else closed_to end
   where team_id = @team_id and monitor_id = @monitor_id and seq = @seq`,
)

export interface SeenRow {
  up: number
  down: number
  maintenance: number
}
/** What was seen of one monitor in a stretch of one resolution. */
export const seenIn = query<SeenRow>(
  'rollup.seenIn',
  `select coalesce(sum(b.up), 0) as up, coalesce(sum(b.down), 0) as down, coalesce(sum(b.maintenance), 0) as maintenance
   from (
     select up, down, maintenance from rollups
     where series = ${series} and bucket >= @from and bucket < @to
     union all
     select s.open_up, s.open_down, s.open_maintenance
     ${openBucket}) b`,
)

/** Days of the monitors of one page: `day,up,down,day,up,down …`, a day more than once where it is still open. */
export interface PageDaysRow {
  monitor_id: number
  days: string
}
// Brackets: the engines differ in which of / and || binds closer.
const daysFrom = (resolution: number, buckets: number, where: string) =>
  `(select string_agg((r.bucket / ${buckets}) || ',' || r.up || ',' || r.down, ',') from rollups r
    where r.series = a.monitor_id * 4 + ${resolution} and ${where})`
/** One text a monitor: a page's year is 18,000 rows, and handing each over costs more than reading them. */
export const pageDays = query<PageDaysRow>(
  'rollup.pageDays',
  `select a.monitor_id, concat_ws(',',
     ${daysFrom(2, 1, 'r.bucket >= @day_from and r.bucket < s.rolled_to / 24')},
     ${daysFrom(1, 24, 'r.bucket >= s.rolled_to / 24 * 24 and r.bucket < s.rolled_to')},
     ${daysFrom(0, 288, 'r.bucket >= s.rolled_to * 12')},
     (s.open_bucket / 288) || ',' || s.open_up || ',' || s.open_down) as days
   from page_monitors a
   join monitors m on m.team_id = a.team_id and m.id = a.monitor_id and m.is_active = 1
   join monitor_states s on s.team_id = a.team_id and s.monitor_id = a.monitor_id
   where a.team_id = @team_id and a.page_id = @page_id`,
)
