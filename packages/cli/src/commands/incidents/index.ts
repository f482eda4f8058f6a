import type { Verb } from '../../command.ts'
import { createIncident } from './create.ts'
import { deleteIncident } from './delete.ts'
import { getIncident } from './get.ts'
import { listIncidents } from './list.ts'
import { resolveIncident } from './resolve.ts'
import { incidentTimeline } from './timeline.ts'
import { updateIncident } from './update.ts'

export const verbs: Verb[] = [
  listIncidents,
  getIncident,
  createIncident,
  updateIncident,
  resolveIncident,
  deleteIncident,
  incidentTimeline,
]
