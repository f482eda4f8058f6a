/** People come in by themselves: log-ins, invitations, and whose tokens are whose. */
export default /* sql */ `
-- hash: SHA-256 of the cookie. The row is the log-in: without it the cookie is nothing, on every replica.
create table sessions (
  hash text primary key,
  user_id bigint not null,
  team_id bigint not null,
  created_at bigint not null,
  seen_at bigint not null,
  expires_at bigint not null
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

-- invited_by is null where a token without a person made it. It is good as long as who made it could make it again.
create table invitations (
  team_id bigint not null,
  id bigint not null,
  email text not null,
  role text not null,
  hash text not null unique,
  invited_by bigint,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (team_id, id)
);
create unique index invitations_by_email on invitations (team_id, email);

create index members_by_user on members (user_id);

-- Whose it is; null for one made on the machine itself, and for those made before this was written down.
alter table tokens add column user_id bigint;

-- Addresses are compared in lower case from now on.
update users set email = lower(email)
where email <> lower(email) and not exists (select 1 from users o where o.email = lower(users.email));
`
