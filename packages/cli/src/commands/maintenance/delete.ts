import { maintenanceView } from '../../format/maintenance.ts'
import { deleteVerb } from '../../verbs/delete.ts'

export const deleteMaintenanceWindow = deleteVerb({
  route: 'deleteMaintenanceWindow',
  read: 'getMaintenanceWindow',
  view: maintenanceView,
  summary: 'Delete a maintenance window, which ends it',
  examples: ['maintenance delete 3', 'maintenance delete 3 --yes'],
})
