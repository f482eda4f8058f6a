import { maintenanceView } from '../../format/maintenance.ts'
import { listVerb } from '../../verbs/list.ts'

export const listMaintenanceWindows = listVerb({
  route: 'listMaintenanceWindows',
  view: maintenanceView,
  summary: 'List maintenance windows, latest start first',
  examples: [
    'maintenance list',
    'maintenance list --status active',
    'maintenance list --status scheduled --sort next_start_at -o json',
  ],
})
