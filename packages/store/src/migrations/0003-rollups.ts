/**
 * Rollups of three resolutions (0: five minutes, 1: an hour, 2: a day), narrow enough that a page reads a year of them,
 * and apart from them the histograms. `bucket` counts stretches since 1970: half the bytes of a time. Monitor ids are
 * unique among all teams, so they lead the key.
 */
export default /* sql */ `
-- Hours before this, counted since 1970, are in the rollups; what came later lies in five minutes only.
alter table monitor_states add column rolled_to bigint not null default 0;

alter table rollups rename to hours_and_days;

create table rollups (
  monitor_id bigint not null,
  resolution smallint not null,
  bucket integer not null,
  up integer not null,
  down integer not null,
  errors integer not null,
  maintenance integer not null,
  response_us_sum bigint not null,
  response_count integer not null,
  primary key (monitor_id, resolution, bucket)
) /*sqlite: without rowid*/;

-- Of response times; absent where there were none.
create table histograms (
  monitor_id bigint not null,
  resolution smallint not null,
  bucket integer not null,
  data /*sqlite: blob*/ /*postgres: bytea*/ not null,
  primary key (monitor_id, resolution, bucket)
) /*sqlite: without rowid*/;

-- Hours are made from five minutes, the latest above all, which may still be open: so each becomes its first five.
update monitor_states set rolled_to = coalesce((select max(r.bucket_at) / 3600000 from hours_and_days r
  where r.monitor_id = monitor_states.monitor_id and r.resolution_s = 3600), 0);
insert into rollups
  select r.monitor_id, 0, r.bucket_at / 300000, r.up, r.down, 0, 0, round(r.response_time_sum * 1000), r.response_time_count
  from hours_and_days r where r.resolution_s = 3600;
insert into rollups
  select r.monitor_id, 1, r.bucket_at / 3600000, r.up, r.down, 0, 0, round(r.response_time_sum * 1000), r.response_time_count
  from hours_and_days r join monitor_states s on s.monitor_id = r.monitor_id
  where r.resolution_s = 3600 and r.bucket_at / 3600000 < s.rolled_to;
insert into rollups
  select r.monitor_id, 2, r.bucket_at / 86400000, r.up, r.down, 0, 0, round(r.response_time_sum * 1000), r.response_time_count
  from hours_and_days r join monitor_states s on s.monitor_id = r.monitor_id
  where r.resolution_s = 86400 and r.bucket_at / 86400000 < s.rolled_to / 24;
drop table hours_and_days;
`
