/** On SQLite in a file of their own: whoever keeps points must not wait for who keeps everything else. */
export const metricTables = /* sql */ `
-- What a metric's points are points of: its name and every label.
create table if not exists metric_series (
  app_id bigint not null,
  id bigint not null,
  name text not null,
  about text not null,
  primary key (app_id, id)
);
create index if not exists metric_series_by_name on metric_series (app_id, name);

-- Points of a series put together: one row for each stretch of a resolution that fits into one row.
create table if not exists metric_rollups (
  app_id bigint not null,
  resolution integer not null,
  bucket bigint not null,
  series_id bigint not null,
  data /*sqlite: blob*/ /*postgres: bytea*/ not null,
  primary key (app_id, series_id, resolution, bucket)
) /*sqlite: without rowid*/;
create index if not exists metric_rollups_by_age on metric_rollups (resolution, bucket);
`

/**
 * Telemetry lies in files of a day on SQLite and in tables of a day on PostgreSQL (see `queries/telemetry-day-tables.ts`). Here
 * is what outlives a day.
 */
export default /* sql */ `
-- PostgreSQL only: days that have tables. On SQLite the files say it themselves.
create table telemetry_days (
  family text not null,
  day integer not null,
  primary key (family, day)
);

-- SQLite only: up to which commit of a day's file its counts are in the usage of the apps.
create table usage_folds (
  day integer primary key,
  seq bigint not null
);

-- PostgreSQL only: requests that were kept and whose answer may not have arrived; one that comes again is not kept twice.
-- replica and id: who answers it, and under which number. lost: the answer certainly did not arrive.
create table telemetry_requests (
  replica bigint not null,
  id bigint not null,
  hash text not null,
  kept_at bigint not null,
  rejected bigint not null,
  lost smallint not null,
  primary key (replica, id)
);
create index telemetry_requests_by_hash on telemetry_requests (hash);

${metricTables}`
