import { query } from './query.ts'

export interface AuditRow {
  team_id: number
  id: number
  actor: string
  actor_id: number
  actor_name: string
  user_id: number | null
  operation: string
  kind: string
  resource_id: number | null
  resource_name: string | null
  address: string
  /** JSON array of names. */
  fields: string
  /** JSON; null but for an apply. */
  counts: string | null
  created_at: number
}

export const auditColumns =
  'team_id, id, actor, actor_id, actor_name, user_id, operation, kind, resource_id, resource_name, address, fields, counts, created_at'

/** The sequence that entries are numbered by. */
export const auditSequence = 'audit_entry'

/** Its id is the one that was taken from {@link auditSequence} just before, in the same commit. */
export const insertAuditEntry = query(
  'audit.insert',
  `insert into audit_log (${auditColumns})
   select cast(@team_id as bigint), value, cast(@actor as text), cast(@actor_id as bigint), cast(@actor_name as text),
     cast(@user_id as bigint), cast(@operation as text), cast(@kind as text), cast(@resource_id as bigint),
     cast(@resource_name as text), cast(@address as text), cast(@fields as text), cast(@counts as text),
     cast(@created_at as bigint)
   from sequences where name = '${auditSequence}'`,
)

/** Oldest first and a few at a time, so that no write waits long. */
export const forgetAuditEntries = query<{ id: number }>(
  'audit.forget',
  `delete from audit_log where (team_id, id) in (
     select team_id, id from audit_log where created_at <= @before order by created_at limit @limit)
   returning id`,
)
