/** Channels that choose their events, a log of what was sent, and outages that people are reminded of. */
export default /* sql */ `
-- events and monitor_ids: JSON arrays, null for all. A deleted monitor's id stays: else nothing left would be all.
alter table channels add column events text;
alter table channels add column monitor_ids text;
alter table channels add column enabled smallint not null default 1;
alter table channels add column disabled_reason text;
alter table channels add column version bigint not null default 1;
alter table channels add column updated_at bigint not null default 0;
update channels set updated_at = created_at;
update channels set enabled = 0 where disabled_at is not null;

-- echo: says again what a status change has said. down_since_at: when the outage began that this is about.
alter table outbox add column echo smallint not null default 0;
alter table outbox add column down_since_at bigint;
create index outbox_by_time on outbox (created_at);

alter table deliveries add column created_at bigint not null default 0;
alter table deliveries add column response_status bigint;
update deliveries set created_at = coalesce((select o.created_at from outbox o
  where o.team_id = deliveries.team_id and o.id = deliveries.outbox_id), 0);
create index deliveries_of_channel on deliveries (team_id, channel_id, created_at);
create index deliveries_by_time on deliveries (created_at);

-- A monitor that is offline, until its recovery; a pause in between does not end it. remind_at: null for no reminders.
create table outages (
  team_id bigint not null,
  monitor_id bigint not null,
  started_at bigint not null,
  error_message text,
  alerted_at bigint not null,
  remind_at bigint,
  primary key (team_id, monitor_id)
);
create index outages_by_reminder on outages (remind_at) where remind_at is not null;
insert into outages (team_id, monitor_id, started_at, alerted_at)
select team_id, monitor_id, last_check_at, last_check_at from monitor_states
where status = 'offline' and last_check_at is not null;
`
