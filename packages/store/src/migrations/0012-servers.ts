/** Probes are watched, too: each has a monitor of type `server`, and says how its machine is. */
export default /* sql */ `
-- The probe that a server monitor is about.
alter table monitors add column probe_id bigint;
create unique index monitors_by_probe on monitors (probe_id) where probe_id is not null;

-- 1 once it was given its monitor: one that was deleted is not made again.
alter table probes add column watched smallint not null default 0;

-- The latest heartbeat of each probe; host and work are JSON objects.
create table heartbeats (
  team_id bigint not null,
  probe_id bigint not null,
  at bigint not null,
  started_at bigint,
  host text not null,
  work text not null,
  primary key (team_id, probe_id)
) /*sqlite: without rowid*/;

-- Of heartbeats: how many said it, their sum, and the highest; percent and load in hundredths. Series (four
-- times the monitor's id and the resolution) and buckets are those of rollups.
create table host_metrics (
  series bigint not null,
  bucket integer not null,
  cpu_count integer not null,
  cpu_sum bigint not null,
  cpu_max integer not null,
  memory_count integer not null,
  memory_sum bigint not null,
  memory_max integer not null,
  disk_count integer not null,
  disk_sum bigint not null,
  disk_max integer not null,
  load_count integer not null,
  load_sum bigint not null,
  load_max integer not null,
  primary key (series, bucket)
) /*sqlite: without rowid*/;
`
