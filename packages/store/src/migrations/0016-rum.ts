/** Events of browsers lie in tables of a day (see `queries/rum-days.ts`). Here is what outlives a day. */
export default /* sql */ `
-- Days that have tables.
create table rum_days (
  day integer primary key
);

-- Each visit of a browser: an id that is seen again after half an hour without a word is another visit of it.
-- period: the month it was last counted in. The times are those of arrival, since what is counted hangs on them.
create table rum_visits (
  app_id bigint not null,
  session_id text not null,
  number integer not null,
  team_id bigint not null,
  period text not null,
  started_at bigint not null,
  last_seen_at bigint not null,
  page_count bigint not null,
  event_count bigint not null,
  error_count bigint not null,
  browser text,
  os text,
  device text,
  referrer text,
  primary key (app_id, session_id, number)
) /*sqlite: without rowid*/;
create index rum_visits_by_start on rum_visits (app_id, started_at);
create index rum_visits_by_age on rum_visits (started_at);
`
