import type { MaintenanceWindow } from '@watchpost/contract'
import { Option } from 'commander'
import { maintenanceView } from '../../format/maintenance.ts'
import { updateVerb } from '../../verbs/update.ts'
import { maintenanceBody, maintenanceFlags, recurrenceOptions } from './fields.ts'

export const updateMaintenanceWindow = updateVerb<MaintenanceWindow>({
  route: 'updateMaintenanceWindow',
  read: 'getMaintenanceWindow',
  view: maintenanceView,
  flags: () => maintenanceFlags().map(flag => ({ ...flag, required: false })),
  options: () => [...recurrenceOptions(), new Option('--once', 'it does not come again').helpGroup('Fields:')],
  body: maintenanceBody,
  summary: 'Change fields of a maintenance window',
  examples: [
    'maintenance update 3 --for 3h',
    'maintenance update 3 --monitor 7 --monitor 9',
    'maintenance update 3 --weekly mon,thu --every 2',
  ],
})
