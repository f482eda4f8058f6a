/** What became too much of series of metrics, and who does what nobody asked for; on SQLite beside `metricTables` too. */
export const seriesTables = /* sql */ `
-- When points of a series last came, within weeks: what is left of none of them is forgotten.
alter table metric_series add column seen_at bigint not null default 0;
update metric_series set seen_at = /*sqlite: unixepoch() * 1000*/ /*postgres: cast(extract(epoch from now()) * 1000 as bigint)*/;
create index metric_series_by_seen on metric_series (seen_at);

-- New series of an app in an hour since 1970.
create table metric_series_hours (
  app_id bigint not null,
  hour bigint not null,
  made bigint not null,
  primary key (app_id, hour)
);
`

export default /* sql */ `
${seriesTables}
-- PostgreSQL only: until when one replica does the work that all could do.
create table telemetry_turns (
  name text primary key,
  until bigint not null
);
`
