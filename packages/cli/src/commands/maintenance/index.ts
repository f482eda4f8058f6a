import type { Verb } from '../../command.ts'
import { createMaintenanceWindow } from './create.ts'
import { deleteMaintenanceWindow } from './delete.ts'
import { getMaintenanceWindow } from './get.ts'
import { listMaintenanceWindows } from './list.ts'
import { updateMaintenanceWindow } from './update.ts'

export const verbs: Verb[] = [
  listMaintenanceWindows,
  getMaintenanceWindow,
  createMaintenanceWindow,
  updateMaintenanceWindow,
  deleteMaintenanceWindow,
]
