import type { Query } from '../db.ts'
import { dayText, ofDay } from './day.ts'
import { query } from './query.ts'
import { newestRumVisits, type RumVisitRow, rumVisitColumns } from './rum-visits.ts'

/** An event that is there already. */
export interface KnownRumEvent {
  id: string
  type: number
}

export interface RumValueRow {
  slot: number
  page: string
  name: string
  /** Values, in no order, by commas; null of none. */
  list: string | null
  count: number
}

export interface RumEventRow {
  at: number
  type: number
  page: string
  name: string
  value: number | null
  data: string
}

export interface RumErrorRow {
  name: string
  count: number
  first_at: number
  last_at: number
}

/** How many events were looked at, and a visit that one of them belongs to; nulls where there is none. */
export type RumFoundRow = { seen: number } & (RumVisitRow | { [N in keyof RumVisitRow]: null })

/** Statements on the table of one UTC day of arrival. */
export interface RumDay {
  insert: Query
  /** The last value of a metric is what it was. */
  updateVital: Query
  known: Query<KnownRumEvent>
  /** All values by page and name, each group in one row: a row for each value takes twice as long. */
  values: Query<RumValueRow>
  errors: Query<RumErrorRow>
  errorSessions: Query<{ name: string; session_id: string }>
  /** Visits in which such a thing happened, newest first, before a place in that order; of many events the newest are looked at. */
  visitsWith: Query<RumFoundRow>
  /** Events of a visit from a moment on, oldest first; always in the same order. */
  ofVisit: Query<RumEventRow>
  sample: Query<{ page: string; data: string }>
  /** SQLite only: some rows, whichever. */
  thinOut: Query
}

/** Goes through many rows, and is asked by people: PostgreSQL's one plan for whatever is asked takes up to eight times as long. */
const question = <R>(name: string, sql: string): Query<R> => ({ ...query<R>(name, sql), adhoc: true })

/** Page loads, vitals and errors: what is asked for by its type, and so what the index by time holds. */
const asked = 'type <= 2'

/**
 * Makes the table of a day. A day is a table, so that what is too old goes in one piece.
 * name: of a vital which, of an error its fingerprint. value: a vital's, or how long a page took. data: the rest as JSON.
 */
export const createRumDayText = (day: number): string => `
insert into rum_days (day) values (${day}) on conflict do nothing;
create table if not exists rum_events_${dayText(day)} (
  app_id bigint not null,
  id text,
  type integer not null,
  at bigint not null,
  session_id text,
  page text not null,
  name text not null,
  value double precision,
  data text not null
);
create unique index if not exists rum_events_${day}_by_id on rum_events_${day} (app_id, id) where id is not null;
create index if not exists rum_events_${day}_by_time on rum_events_${day} (app_id, type, at) where ${asked};
create index if not exists rum_events_${day}_by_visit on rum_events_${day} (app_id, session_id, at) where session_id is not null;
`

/** What SQLite must free page by page, while everybody waits, goes in pieces before. */
export const dropRumIndexesText = (day: number): string[] => [
  `drop index if exists rum_events_${dayText(day)}_by_id`,
  `drop index if exists rum_events_${dayText(day)}_by_time`,
  `drop index if exists rum_events_${dayText(day)}_by_visit`,
]

export const dropRumDayText = (day: number): string => `
delete from rum_days where day = ${day};
drop table if exists rum_events_${dayText(day)};
`

/** Days that have tables, newest first. */
export const rumDays = query<{ day: number }>('rum.days', 'select day from rum_days order by day desc')

/** The statements of a day that has a table. */
export const rumDay = ofDay(statementsOf)

function statementsOf(day: number): RumDay {
  const table = `rum_events_${day}`
  const range = `${asked} and app_id = @app_id and type = @type and at >= @from and at <= @to`
  const ofPage = `(cast(@page as text) is null or page = @page)`
  const ofName = `(cast(@name as text) is null or name = @name)`
  return {
    insert: query(
      `rum.insert ${day}`,
      `insert into ${table} (app_id, id, type, at, session_id, page, name, value, data)
       values (@app_id, @id, @type, @at, @session_id, @page, @name, @value, @data)`,
    ),
    updateVital: query(
      `rum.updateVital ${day}`,
      `update ${table} set value = @value, data = @data where app_id = @app_id and id = @id and type = 1`,
    ),
    known: query(`rum.known ${day}`, `select id, type from ${table} where app_id = @app_id and id in (@ids...)`),
    values: question(
      `rum.values ${day}`,
      `select slot, page, name, string_agg(cast(value as text), ',') as list, count(*) as count from (
         select at / cast(@step as bigint) as slot, page, name, value from ${table}
         where ${range} and ${ofPage} limit @most) as seen
       group by 1, 2, 3`,
    ),
    errors: question(
      `rum.errors ${day}`,
      `select name, count(*) as count, min(at) as first_at, max(at) as last_at from ${table}
       where ${range} and ${ofName} and ${ofPage} group by name limit @most`,
    ),
    errorSessions: question(
      `rum.errorSessions ${day}`,
      `select distinct name, session_id from ${table}
       where ${range} and ${ofName} and ${ofPage} and session_id is not null limit @most`,
    ),
    // Where an id has several visits, it is the first that was still heard of after it happened.
    visitsWith: question(
      `rum.visitsWith ${day}`,
      `with events as materialized (
         select session_id, at from ${table}
         where ${range} and ${ofName} and ${ofPage} and session_id is not null order by at desc limit @most
       ), found as (
         select session_id as id, (
           select min(number) from rum_visits as v
           where v.app_id = @app_id and v.session_id = events.session_id and v.last_seen_at >= events.at
         ) as place from events group by 1, 2
       )
       select seen, visits.* from (select count(*) as seen from events) as counted left join (
         select ${rumVisitColumns} from found join rum_visits on app_id = @app_id and session_id = id and number = place
         where ${newestRumVisits}
       ) as visits on true`,
    ),
    ofVisit: query(
      `rum.ofVisit ${day}`,
      `select at, type, page, name, value, data from ${table}
       where app_id = @app_id and session_id = @session_id and at >= @after order by at, type, id, data limit @limit`,
    ),
    thinOut: query(
      `rum.thinOut ${day}`,
      `delete from ${table} where rowid in (select rowid from ${table} limit @limit) returning type`,
    ),
    sample: query(
      `rum.sample ${day}`,
      `select page, data from ${table}
       where ${asked} and app_id = @app_id and type = @type and at = @at and name = @name and ${ofPage} limit 1`,
    ),
  }
}
