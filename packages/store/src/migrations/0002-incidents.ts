/** Incidents: what they are, what they affect, where they are shown, and what was said of them. */
export default /* sql */ `
-- auto_monitor_id: the monitor that opened it by going offline, and whose recovery resolves it.
create table incidents (
  team_id bigint not null,
  id bigint not null,
  seq bigint not null,
  title text not null,
  description text,
  status text not null,
  severity text not null,
  source text not null,
  auto_monitor_id bigint,
  started_at bigint not null,
  resolved_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (team_id, id)
);
create index incidents_by_start on incidents (team_id, started_at);
-- A monitor has one automatic incident open at most; those without a monitor do not get in each other's way.
create unique index incidents_open_automatic on incidents (team_id, auto_monitor_id) where resolved_at is null;

create table incident_monitors (
  team_id bigint not null,
  incident_id bigint not null,
  monitor_id bigint not null,
  position bigint not null,
  primary key (team_id, incident_id, monitor_id)
);
create index incident_monitors_by_monitor on incident_monitors (team_id, monitor_id);

create table incident_pages (
  team_id bigint not null,
  incident_id bigint not null,
  page_id bigint not null,
  position bigint not null,
  primary key (team_id, incident_id, page_id)
);
create index incident_pages_by_page on incident_pages (team_id, page_id);

create table incident_updates (
  team_id bigint not null,
  incident_id bigint not null,
  id bigint not null,
  message text not null,
  status text not null,
  created_at bigint not null,
  primary key (team_id, incident_id, id)
);
`
