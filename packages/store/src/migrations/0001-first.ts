/** team_id leads every key, ids and times are passed in, nothing fires by itself: the same text runs on both engines. */
export default /* sql */ `
create table sequences (
  name text primary key,
  value bigint not null
);

create table teams (
  id bigint primary key,
  name text not null,
  plan text not null,
  created_at bigint not null
);

create table users (
  id bigint primary key,
  email text not null unique,
  password_hash text not null,
  created_at bigint not null
);

create table members (
  team_id bigint not null,
  user_id bigint not null,
  role text not null,
  created_at bigint not null,
  primary key (team_id, user_id)
);

create table tokens (
  team_id bigint not null,
  id bigint not null,
  name text not null,
  role text not null,
  scopes text not null,
  hash text not null unique,
  created_at bigint not null,
  last_used_at bigint,
  expires_at bigint,
  primary key (team_id, id)
);

-- team_id 0: a probe of the instance itself, which serves every team.
create table probes (
  team_id bigint not null,
  id bigint not null,
  name text not null,
  region text not null,
  hash text unique,
  version text,
  created_at bigint not null,
  last_seen_at bigint,
  deleted_at bigint,
  primary key (team_id, id)
);

create table monitors (
  team_id bigint not null,
  id bigint not null,
  name text not null,
  target text not null,
  type text not null,
  interval_s bigint not null,
  timeout_s bigint not null,
  method text not null,
  ssl_verify smallint not null,
  enabled smallint not null,
  is_active smallint not null,
  options text not null,
  version bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (team_id, id)
);
create index monitors_by_id on monitors (id);

-- Apart from monitors: this row is written with every result, and is kept narrow for it.
-- due_at is null while paused. A lease with lease_holds stays when a result comes in, until lease_until.
create table monitor_states (
  team_id bigint not null,
  monitor_id bigint not null,
  seq bigint not null,
  status text not null,
  failures bigint not null,
  last_check_at bigint,
  response_time_ms double precision,
  due_at bigint,
  lease_id text,
  lease_probe_id bigint,
  lease_until bigint not null,
  lease_holds bigint not null,
  -- Results of checks that started before this are history only: they saw an older target.
  counts_from bigint not null,
  primary key (team_id, monitor_id)
) /*sqlite: without rowid*/;
create index monitor_states_by_due on monitor_states (due_at);

-- Which probe was ever given which monitor: only those may report on it.
create table grants (
  team_id bigint not null,
  monitor_id bigint not null,
  probe_id bigint not null,
  primary key (team_id, monitor_id, probe_id)
) /*sqlite: without rowid*/;

-- status: 0 offline, 1 online, 2 the probe could not look.
create table checks (
  team_id bigint not null,
  monitor_id bigint not null,
  checked_at bigint not null,
  run_id text not null,
  probe_id bigint not null,
  status smallint not null,
  response_time_ms double precision,
  error_kind text,
  error_message text,
  timings text,
  details text,
  primary key (team_id, monitor_id, checked_at, run_id)
) /*sqlite: without rowid*/;
create unique index checks_by_run on checks (team_id, monitor_id, run_id);

create table rollups (
  team_id bigint not null,
  monitor_id bigint not null,
  resolution_s bigint not null,
  bucket_at bigint not null,
  up bigint not null,
  down bigint not null,
  response_time_sum double precision not null,
  response_time_count bigint not null,
  primary key (team_id, monitor_id, resolution_s, bucket_at)
) /*sqlite: without rowid*/;

-- What happened, written in the commit that made it happen; dispatched once its deliveries are rows.
create table outbox (
  team_id bigint not null,
  id text not null,
  event text not null,
  body text not null,
  created_at bigint not null,
  dispatched_at bigint,
  primary key (team_id, id)
);
create index outbox_pending on outbox (created_at) where dispatched_at is null;

create table channels (
  team_id bigint not null,
  id bigint not null,
  name text not null,
  type text not null,
  settings text not null,
  disabled_at bigint,
  created_at bigint not null,
  primary key (team_id, id)
);

create table deliveries (
  team_id bigint not null,
  outbox_id text not null,
  channel_id bigint not null,
  attempts bigint not null,
  next_at bigint,
  lease_until bigint not null,
  delivered_at bigint,
  failed_at bigint,
  error text,
  primary key (team_id, outbox_id, channel_id)
);
create index deliveries_pending on deliveries (next_at) where next_at is not null;
create index deliveries_by_channel on deliveries (team_id, channel_id) where next_at is not null;

create table status_pages (
  team_id bigint not null,
  id bigint not null,
  slug text not null unique,
  title text not null,
  description text,
  is_public smallint not null,
  language text not null,
  show_history_days bigint not null,
  theme text not null,
  version bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (team_id, id)
);

create table page_monitors (
  team_id bigint not null,
  page_id bigint not null,
  monitor_id bigint not null,
  display_name text,
  group_name text not null,
  order_index bigint not null,
  show_uptime smallint not null,
  show_response_time smallint not null,
  primary key (team_id, page_id, monitor_id)
);
create index page_monitors_by_monitor on page_monitors (team_id, monitor_id);
`
