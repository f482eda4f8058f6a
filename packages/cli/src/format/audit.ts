import type { AuditEntry } from '@watchpost/contract'
import type { View } from '../view.ts'
import { moment } from './time.ts'

export const auditView: View<AuditEntry> = {
  singular: 'entry',
  plural: 'entries',
  name: entry => String(entry.id),
  columns: [
    { title: 'WHEN', cell: ({ created_at }) => moment(created_at), moment: true },
    {
      title: 'WHO',
      cell: ({ actor, actor_name }) => (actor === 'token' ? `token ${actor_name}` : actor_name),
      least: 12,
    },
    { title: 'OPERATION', cell: ({ operation }) => operation },
    { title: 'WHAT', cell: what, least: 12 },
    { title: 'FIELDS', cell: ({ fields }) => fields.join(', ') || '-', least: 8, optional: 1 },
    { title: 'FROM', cell: ({ address }) => address, optional: 2 },
  ],
}

function what({ kind, resource_id, resource_name, counts }: AuditEntry): string {
  if (counts !== null) return `${counts.create} made, ${counts.update} changed, ${counts.delete} deleted`
  return [kind, resource_id, resource_name].filter(part => part !== null).join(' ')
}
