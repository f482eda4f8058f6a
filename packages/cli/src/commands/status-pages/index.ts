import type { Verb } from '../../command.ts'
import { assignMonitor } from './assign.ts'
import { createStatusPage } from './create.ts'
import { deleteStatusPage } from './delete.ts'
import { getStatusPage } from './get.ts'
import { listStatusPages } from './list.ts'
import { listSubscribers } from './subscribers.ts'
import { unassignMonitor } from './unassign.ts'
import { updateStatusPage } from './update.ts'

export const verbs: Verb[] = [
  listStatusPages,
  getStatusPage,
  createStatusPage,
  updateStatusPage,
  deleteStatusPage,
  assignMonitor,
  unassignMonitor,
  listSubscribers,
]
