import { maintenanceView } from '../../format/maintenance.ts'
import { getVerb } from '../../verbs/get.ts'

export const getMaintenanceWindow = getVerb({
  route: 'getMaintenanceWindow',
  view: maintenanceView,
  summary: 'Show one maintenance window',
  examples: ['maintenance get 3', 'maintenance get 3 -o yaml'],
})
