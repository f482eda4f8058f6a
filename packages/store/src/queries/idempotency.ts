import { query } from './query.ts'

export interface IdempotencyRow {
  /** Digest of what was asked. */
  request: string
  /** Sealed answer; null while the first request is under way, or where its answer was lost. */
  answer: string | null
  created_at: number
}

export const keptKey = query<IdempotencyRow>(
  'idempotency.byKey',
  `select request, answer, created_at from idempotency_keys
   where team_id = @team_id and caller = @caller and key = @key and created_at > @since`,
)

/** Fails where the key is there already: then nothing of the commit it is part of happens. */
export const insertKey = query(
  'idempotency.insert',
  `insert into idempotency_keys (team_id, caller, key, request, created_at)
   values (@team_id, @caller, @key, @request, @created_at)`,
)

export const dropExpiredKey = query(
  'idempotency.dropExpired',
  `delete from idempotency_keys
   where team_id = @team_id and caller = @caller and key = @key and created_at <= @since`,
)

/** Also for requests whose effect was no commit: the answer is kept all the same. */
export const keepAnswer = query(
  'idempotency.answer',
  `insert into idempotency_keys (team_id, caller, key, request, answer, created_at)
   values (@team_id, @caller, @key, @request, @answer, @created_at)
   on conflict (team_id, caller, key) do update set answer = excluded.answer`,
)

/** Oldest first and a few at a time, so that no write waits long. */
export const forgetKeys = query(
  'idempotency.forget',
  `delete from idempotency_keys where (team_id, caller, key) in (
     select team_id, caller, key from idempotency_keys where created_at <= @before order by created_at limit @limit)
   returning key`,
)
