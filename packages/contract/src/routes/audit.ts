import { listQuery } from '../list-query.ts'
import { route } from '../route.ts'
import { AuditEntry } from '../schema/audit.ts'

export const auditRoutes = {
  listAuditLog: route({
    method: 'GET',
    path: '/v1/audit-log',
    surface: 'user',
    role: 'admin',
    summary: 'List who changed what',
    description:
      'Newest first, for 365 days. Each write that took effect is one entry, written in the same commit; what was refused or sent again under its `Idempotency-Key` is none. An apply is one entry with counts.',
    query: listQuery(AuditEntry),
    envelope: 'list',
    reply: AuditEntry,
  }),
}
