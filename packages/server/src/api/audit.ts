import { type AuditActor, type AuditEntry, type AuditKind, auditRoutes } from '@watchpost/contract'
import { type AuditRow, auditColumns } from '@watchpost/store'
import type { Handlers } from '../http/handler.ts'
import { columnsByName, listRows } from '../http/list.ts'
import { iso } from './time.ts'

export const auditHandlers: Handlers<typeof auditRoutes> = {
  async listAuditLog({ query, caller, context }) {
    const { rows, total } = await listRows<AuditRow>(context.db, query, {
      route: auditRoutes.listAuditLog,
      name: 'audit.list',
      columns: columnsByName(auditColumns),
      from: 'audit_log',
      where: 'team_id = @team_id',
      params: { team_id: caller.team_id },
      order: '-id',
    })
    return { rows: rows.map(auditView), total }
  },
}

function auditView(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    created_at: iso(row.created_at),
    actor: row.actor as AuditActor,
    actor_id: row.actor_id,
    actor_name: row.actor_name,
    user_id: row.user_id,
    operation: row.operation,
    kind: row.kind as AuditKind,
    resource_id: row.resource_id,
    resource_name: row.resource_name,
    address: row.address,
    fields: JSON.parse(row.fields),
    counts: row.counts === null ? null : JSON.parse(row.counts),
  }
}
