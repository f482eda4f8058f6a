import type { Verb } from '../../command.ts'
import { listMonitorChecks } from './checks.ts'
import { createMonitor } from './create.ts'
import { deleteMonitor } from './delete.ts'
import { explainMonitor } from './explain.ts'
import { getMonitor } from './get.ts'
import { listMonitors } from './list.ts'
import { getMonitorMetrics } from './metrics.ts'
import { pauseMonitor } from './pause.ts'
import { resumeMonitor } from './resume.ts'
import { updateMonitor } from './update.ts'
import { watchMonitors } from './watch.ts'

export const verbs: Verb[] = [
  listMonitors,
  getMonitor,
  createMonitor,
  updateMonitor,
  deleteMonitor,
  pauseMonitor,
  resumeMonitor,
  listMonitorChecks,
  getMonitorMetrics,
  explainMonitor,
  watchMonitors,
]
