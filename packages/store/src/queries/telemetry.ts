import { query } from './query.ts'

/** Up to which commit each day's counts are in the usage of the apps. */
export const usageFolds = query<{ day: number; seq: number }>('usage.folds', 'select day, seq from usage_folds')

/** Moves the mark; expected to change one row, so that two that fold at once cannot count twice. */
export const moveUsageFold = query(
  'usage.moveFold',
  'update usage_folds set seq = @seq where day = @day and seq = @seq_before',
)

export const startUsageFold = query(
  'usage.startFold',
  'insert into usage_folds (day, seq) values (@day, 0) on conflict do nothing',
)

export const forgetUsageFolds = query('usage.forgetFolds', 'delete from usage_folds where day < @day')

/** Requests whose answers were lost with their replica, or with their connection; whoever takes one is the only one. */
export const takeTelemetryRequests = query<{ hash: string; rejected: number }>(
  'telemetryRequest.take',
  `delete from telemetry_requests where hash in (@hashes...) and kept_at >= @since
     and (lost = 1 or (replica <> @replica and kept_at <= @before))
   returning hash, rejected`,
)

/** Their answers have arrived: the same bytes from now on are meant. */
export const answeredTelemetryRequests = query(
  'telemetryRequest.answered',
  'delete from telemetry_requests where replica = @replica and id in (@ids...)',
)

export const lostTelemetryRequests = query<{ id: number }>(
  'telemetryRequest.lost',
  'update telemetry_requests set lost = 1 where replica = @replica and id in (@ids...) returning id',
)

export const forgetTelemetryRequests = query(
  'telemetryRequest.forget',
  'delete from telemetry_requests where kept_at < @before',
)

/** Of one name, the newest first, of those that have some text. */
export const metricSeries = query<{ id: number; about: string }>(
  'metricSeries.ofName',
  `select id, about from metric_series where app_id = @app_id and name = @name
     and (about like @text escape '!' or about like @other escape '!')
   order by seen_at desc, id limit @limit`,
)

/** Names of an app, each with two of its series. */
export const metricNames = query<{ name: string; one: number; other: number }>(
  'metricSeries.names',
  `select name, min(id) as one, max(id) as other from metric_series where app_id = @app_id
   group by name order by name limit @limit`,
)

export const metricSeriesByIds = query<{ id: number; about: string }>(
  'metricSeries.byIds',
  'select id, about from metric_series where app_id = @app_id and id in (@ids...)',
)

/** Those of some that are known. */
export const metricSeriesSeen = query<{ id: number; seen_at: number }>(
  'metricSeries.seen',
  'select id, seen_at from metric_series where app_id = @app_id and id in (@ids...)',
)

export const seeMetricSeries = query(
  'metricSeries.see',
  'update metric_series set seen_at = @seen_at where app_id = @app_id and id in (@ids...)',
)

export const forgetMetricSeries = query<{ id: number }>(
  'metricSeries.forget',
  `delete from metric_series where seen_at < @before and (app_id, id) in
     (select app_id, id from metric_series where seen_at < @before order by seen_at limit @limit)
   returning id`,
)

export const metricSeriesMade = query<{ made: number }>(
  'metricSeries.made',
  'select made from metric_series_hours where app_id = @app_id and hour = @hour',
)

/** Counts new series; changes nothing where they would be more than are allowed. */
export const countMetricSeries = query(
  'metricSeries.count',
  `insert into metric_series_hours (app_id, hour, made) values (@app_id, @hour, @count)
   on conflict (app_id, hour) do update set made = metric_series_hours.made + excluded.made
   where metric_series_hours.made + excluded.made <= @most`,
)

export const forgetMetricSeriesHours = query(
  'metricSeries.forgetHours',
  'delete from metric_series_hours where hour < @before',
)

/** One row where nobody else has the turn; whose clock is ahead has none. */
export const takeTelemetryTurn = query<{ until: number }>(
  'telemetryTurn.take',
  `insert into telemetry_turns (name, until) values (@name, @until)
   on conflict (name) do update set until = excluded.until where telemetry_turns.until <= @now or telemetry_turns.until > excluded.until
   returning until`,
)

export const metricRollups = query<{ series_id: number; bucket: number; data: Uint8Array }>(
  'metricRollup.ofSeries',
  `select series_id, bucket, data from metric_rollups where app_id = @app_id and series_id in (@ids...)
     and resolution = @resolution and bucket >= @from and bucket <= @to`,
)

/** Expected to change one row, like the next: another may have put points together meanwhile. */
export const insertMetricRollup = query(
  'metricRollup.insert',
  `insert into metric_rollups (app_id, resolution, bucket, series_id, data)
   values (@app_id, @resolution, @bucket, @series_id, @bytes) on conflict do nothing`,
)

export const replaceMetricRollup = query(
  'metricRollup.replace',
  `update metric_rollups set data = @bytes
   where app_id = @app_id and series_id = @series_id and resolution = @resolution and bucket = @bucket and data = @before`,
)

export const dropMetricRollups = query(
  'metricRollup.drop',
  'delete from metric_rollups where resolution = @resolution and bucket < @before',
)
