import { auditView } from '../../format/audit.ts'
import { listVerb } from '../../verbs/list.ts'

export const listAuditLog = listVerb({
  route: 'listAuditLog',
  view: auditView,
  summary: 'List who changed what, newest first',
  examples: ['audit list', 'audit list --kind monitor --resource-id 7', 'audit list --actor token --all -o json'],
})
