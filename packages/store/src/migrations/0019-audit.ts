/** Who changed what. A row is written with the effect it tells of. */
export default /* sql */ `
-- actor: session or token. fields: JSON array of names. counts: JSON, of an apply.
create table audit_log (
  team_id bigint not null,
  id bigint not null,
  actor text not null,
  actor_id bigint not null,
  actor_name text not null,
  user_id bigint,
  operation text not null,
  kind text not null,
  resource_id bigint,
  resource_name text,
  address text not null,
  fields text not null,
  counts text,
  created_at bigint not null,
  primary key (team_id, id)
);
create index audit_log_by_age on audit_log (created_at);
`
