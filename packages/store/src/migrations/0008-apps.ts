/** Observability apps, what they have used in each month, and what was added beyond the plan. */
export default /* sql */ `
-- Each key twice: its hash, by which it is found, and sealed, because settings show it again.
create table apps (
  team_id bigint not null,
  id bigint not null,
  name text not null,
  allowed_origins text not null,
  app_token_hash text not null unique,
  app_token text not null,
  api_key_hash text not null unique,
  api_key text not null,
  version bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (team_id, id)
);

-- used: of the plan's quota. from_top_up: beyond it. alerted: the highest threshold, in percent, that was told of.
create table usage (
  team_id bigint not null,
  app_id bigint not null,
  period text not null,
  quota text not null,
  used bigint not null,
  from_top_up bigint not null,
  alerted bigint not null,
  primary key (team_id, app_id, period, quota)
) /*sqlite: without rowid*/;

create table top_ups (
  team_id bigint not null,
  app_id bigint not null,
  quota text not null,
  balance bigint not null,
  last_amount bigint not null,
  low_told smallint not null,
  primary key (team_id, app_id, quota)
) /*sqlite: without rowid*/;

-- A team's own limits, where they are not those of its plan; null is no limit.
create table team_quotas (
  team_id bigint not null,
  quota text not null,
  quota_limit bigint,
  primary key (team_id, quota)
) /*sqlite: without rowid*/;
`
