/**
 * Checks lie in tables of a day (see `queries/check-days.ts`), in blocks of many. What has not filled a block or a
 * stretch of five minutes yet is kept with the monitor's state, which is written anyway.
 */
export default /* sql */ `
drop table checks;

-- Days that have tables, as 20261121.
create table check_days (
  day integer primary key
);

-- Results that were accepted and are not in the tables yet; read once, after a crash.
create table result_journal (
  /*sqlite: id integer primary key,*/ /*postgres: id bigint primary key,*/
  data /*sqlite: blob*/ /*postgres: bytea*/ not null
);

alter table monitor_states add column open_checks /*sqlite: blob*/ /*postgres: bytea*/;
-- A run that was due after this is among the open checks or nowhere.
alter table monitor_states add column filed_due_at bigint not null default 0;
-- The rollup of the five minutes that the newest check fell into; open_bucket is null where there is none.
alter table monitor_states add column open_bucket integer;
-- Of the five minutes before this there may be rollups, also where open_bucket is null.
alter table monitor_states add column closed_to integer not null default 0;
alter table monitor_states add column open_up integer not null default 0;
alter table monitor_states add column open_down integer not null default 0;
alter table monitor_states add column open_errors integer not null default 0;
alter table monitor_states add column open_maintenance integer not null default 0;
alter table monitor_states add column open_us_sum bigint not null default 0;
alter table monitor_states add column open_count integer not null default 0;
alter table monitor_states add column open_histogram /*sqlite: blob*/ /*postgres: bytea*/;

update monitor_states set closed_to = coalesce((select max(r.bucket) + 1 from rollups r
  where r.monitor_id = monitor_states.monitor_id and r.resolution = 0), 0);
`
