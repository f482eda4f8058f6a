/** Planned work: when it is, which monitors it is about, and what receivers were not told meanwhile. */
export default /* sql */ `
-- recurrence: JSON object, null for once. starts_at and ends_at are of the first.
create table maintenance_windows (
  team_id bigint not null,
  id bigint not null,
  version bigint not null,
  title text not null,
  description text,
  all_monitors smallint not null,
  starts_at bigint not null,
  ends_at bigint not null,
  time_zone text not null,
  recurrence text,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (team_id, id)
);

create table maintenance_monitors (
  team_id bigint not null,
  window_id bigint not null,
  monitor_id bigint not null,
  primary key (team_id, window_id, monitor_id)
);
create index maintenance_monitors_by_monitor on maintenance_monitors (team_id, monitor_id);

-- Of each team that changed a window, a number that was the highest of all then: who keeps windows in memory reads
-- the teams above the highest it knows.
create table maintenance_changes (
  team_id bigint primary key,
  value bigint not null
);
create index maintenance_changes_by_value on maintenance_changes (value);

-- What receivers were told last, where maintenance kept a later status from them.
alter table monitor_states add column announced_status text;
create index monitor_states_unannounced on monitor_states (team_id, monitor_id) where announced_status is not null;
`
