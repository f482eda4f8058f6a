/**
 * What was asked under an `Idempotency-Key`. The row is written with the effect; the answer, which may hold a secret that
 * is shown once, follows sealed.
 */
export default /* sql */ `
create table idempotency_keys (
  team_id bigint not null,
  caller text not null,
  key text not null,
  request text not null,
  answer text,
  created_at bigint not null,
  primary key (team_id, caller, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
`
