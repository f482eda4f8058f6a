import { query } from './query.ts'

export interface RumVisitRow {
  session_id: string
  number: number
  period: string
  started_at: number
  last_seen_at: number
  page_count: number
  event_count: number
  error_count: number
  browser: string | null
  os: string | null
  device: string | null
  referrer: string | null
}

export const rumVisitColumns = `session_id, number, period, started_at, last_seen_at, page_count, event_count, error_count,
  browser, os, device, referrer`

/** Visits under these ids; the last of each is the one with the largest number. */
export const rumVisitsOf = query<RumVisitRow>(
  'rumVisit.of',
  `select ${rumVisitColumns} from rum_visits where app_id = @app_id and session_id in (@ids...)`,
)

/** Of an app that was deleted meanwhile nothing is kept. */
export const insertRumVisit = query(
  'rumVisit.insert',
  `insert into rum_visits (app_id, session_id, number, team_id, period, started_at, last_seen_at, page_count,
     event_count, error_count, browser, os, device, referrer)
   select a.id, cast(@session_id as text), cast(@number as integer), a.team_id, cast(@period as text),
     cast(@at as bigint), cast(@at as bigint), cast(@page_count as bigint), cast(@event_count as bigint), cast(@error_count as bigint),
     cast(@browser as text), cast(@os as text), cast(@device as text), cast(@referrer as text)
   from apps a where a.team_id = @team_id and a.id = @app_id`,
)

/** Goes on with a visit, if it is still what the decision was made by. */
export const continueRumVisit = query(
  'rumVisit.continue',
  `update rum_visits set last_seen_at = case when last_seen_at < @at then @at else last_seen_at end, period = @period,
     page_count = page_count + @page_count, event_count = event_count + @event_count, error_count = error_count + @error_count
   where app_id = @app_id and session_id = @session_id and number = @number and last_seen_at >= @alive_from
     and period = @period_before`,
)

/** Newest first, before a place in that order. */
export const newestRumVisits = `started_at <= @before and (started_at < @before or session_id < @before_id)
  order by started_at desc, session_id desc limit @limit`

export const rumVisitsOfApp = query<RumVisitRow>(
  'rumVisit.ofApp',
  `select ${rumVisitColumns} from rum_visits
   where app_id = @app_id and started_at >= @from and started_at <= @to and ${newestRumVisits}`,
)

export const forgetRumVisits = query(
  'rumVisit.forget',
  `delete from rum_visits where (app_id, session_id, number) in (
     select app_id, session_id, number from rum_visits where started_at < @before limit @limit)
   returning number`,
)
