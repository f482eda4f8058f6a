/**
 * A monitor with regions is due in each of them by itself: there its state has no due time and no lease. Leases that
 * were taken from a probe that keeps to its own schedule are told to it, and each change of a verdict is kept.
 */
export default /* sql */ `
create table monitor_regions (
  team_id bigint not null,
  monitor_id bigint not null,
  region text not null,
  -- Since when the region is asked, or asked about what the monitor is now.
  since bigint not null,
  status text not null,
  failures bigint not null,
  last_check_at bigint,
  response_time_ms double precision,
  probe_id bigint,
  due_at bigint,
  -- Who saw the failure that another probe is to confirm.
  avoid_probe_id bigint,
  lease_id text,
  lease_probe_id bigint,
  lease_until bigint not null,
  lease_holds bigint not null,
  primary key (team_id, monitor_id, region)
) /*sqlite: without rowid*/;
create index monitor_regions_by_due on monitor_regions (region, due_at);

alter table monitor_states add column avoid_probe_id bigint;

-- 1: it asks for what is due ahead, and keeps to the schedule by itself.
alter table probes add column polls_ahead smallint not null default 0;

create table lost_leases (
  probe_id bigint not null,
  monitor_id bigint not null,
  lost_until bigint not null,
  primary key (probe_id, monitor_id)
) /*sqlite: without rowid*/;

create table verdicts (
  team_id bigint not null,
  monitor_id bigint not null,
  decided_at bigint not null,
  seq bigint not null,
  old_status text not null,
  new_status text not null,
  -- JSON: what each region said then; null for a monitor without regions.
  votes text,
  primary key (team_id, monitor_id, seq)
) /*sqlite: without rowid*/;
create index verdicts_by_time on verdicts (decided_at);
`
