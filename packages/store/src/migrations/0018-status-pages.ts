/** Domains and logos of status pages, and who is told of their incidents by e-mail. */
export default /* sql */ `
-- custom_domain: lower case; the page is the whole site under it.
alter table status_pages add column custom_domain text;
alter table status_pages add column logo text;
create unique index status_pages_by_domain on status_pages (custom_domain);

-- The token twice: its hash, by which it is found, and sealed, because every message links with it.
create table subscribers (
  team_id bigint not null,
  id bigint not null,
  page_id bigint not null,
  email text not null,
  token_hash text not null unique,
  token text not null,
  confirmed_at bigint,
  asked_at bigint not null,
  created_at bigint not null,
  primary key (team_id, id)
);
create unique index subscribers_by_email on subscribers (team_id, page_id, email);

-- One message to one subscriber about one event; outbox_id 'confirm' is the first, which asks them to confirm.
create table subscriber_mails (
  team_id bigint not null,
  subscriber_id bigint not null,
  outbox_id text not null,
  attempts bigint not null,
  next_at bigint not null,
  created_at bigint not null,
  primary key (team_id, subscriber_id, outbox_id)
) /*sqlite: without rowid*/;
create index subscriber_mails_due on subscriber_mails (next_at);
`
