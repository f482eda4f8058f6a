import type { MonitorStatus } from '@watchpost/contract'
import { type Db, openAutomaticIncident, queueIncidentMails, type Step } from '@watchpost/store'
import {
  automaticMove,
  downTitle,
  type IncidentSettings,
  monitorDeletedMessage,
  recoveryMessage,
  resolvedAt,
} from '../domain/incident.ts'
import { autoIncident } from '../domain/monitor-settings.ts'
import { newEventId } from './event.ts'
import { takeId } from './ids.ts'
import { changeSteps, createSteps, type KeptIncident, newIncident, withLinks } from './incident-steps.ts'

const laterMs = 10_000

interface OfMonitor {
  team_id: number
  id: number
  name: string
  /** JSON object. */
  options: string
}

/**
 * What a verdict does to the monitor's automatic incident, as steps of the commit that brings the verdict.
 * @param at when the check ran
 */
export async function verdictSteps(
  db: Db,
  monitor: OfMonitor,
  new_status: MonitorStatus,
  at: number,
  now: number,
): Promise<Step[]> {
  const open = await openIncidentOf(db, monitor)
  const move = automaticMove(new_status, open !== undefined, autoIncident(JSON.parse(monitor.options)))
  if (move === 'open') return openSteps(db, monitor, at, now)
  if (move === 'resolve' && open !== undefined) {
    return resolveSteps(open, recoveryMessage(monitor.name), at, now, { echo: true })
  }
  return []
}

/**
 * The end of the incident of a monitor that is deleted. It is resolved, not deleted: receivers that were told of it are
 * told that it is over, and what happened stays in the history.
 */
export async function monitorDeletedSteps(
  db: Db,
  monitor: { team_id: number; id: number },
  now: number,
): Promise<Step[]> {
  const open = await openIncidentOf(db, monitor)
  if (open === undefined) return []
  const others = open.monitor_ids.filter(id => id !== monitor.id)
  const event_id = newEventId()
  return [
    ...resolveSteps(open, monitorDeletedMessage, now, now, { monitor_ids: others, event_id }),
    tellSubscribers(monitor.team_id, event_id, open, now),
  ]
}

async function openIncidentOf(db: Db, { team_id, id }: { team_id: number; id: number }) {
  const row = await db.one(openAutomaticIncident, { team_id, monitor_id: id })
  const [incident] = row === undefined ? [] : await withLinks(db, team_id, [row])
  return incident
}

async function openSteps(db: Db, { team_id, id, name }: OfMonitor, at: number, now: number): Promise<Step[]> {
  const settings: IncidentSettings = {
    title: downTitle(name),
    description: null,
    status: 'investigating',
    severity: 'major',
    monitor_ids: [id],
    status_page_ids: [],
    started_at: at,
  }
  // Taken apart from the commit: an id that a conflict leaves unused is a gap, and gaps are allowed.
  const key = { team_id, id: await takeId(db, 'incident'), auto_monitor_id: id }
  return createSteps(newIncident(key, settings, now), true)
}

function resolveSteps(
  open: KeptIncident,
  message: string,
  at: number,
  now: number,
  { monitor_ids = open.monitor_ids, echo = false, event_id = newEventId() } = {},
): Step[] {
  const after = { ...open, status: 'resolved' as const, monitor_ids, updated_at: now }
  // Told to whoever was told of the beginning: what it was about, though that is there no more.
  const about = open.monitor_ids
  return changeSteps(open, { ...after, resolved_at: resolvedAt(after, null, at) }, message, { echo, about, event_id })
}

/** Queued with the end itself: once it is dispatched, no page shows the monitor any more. */
function tellSubscribers(team_id: number, outbox_id: string, open: KeptIncident, now: number): Step {
  const { monitor_ids, status_page_ids: page_ids } = open
  // Later than dispatching queues it for those that can still be found: the same message is one.
  const params = { team_id, outbox_id, monitor_ids, page_ids, now: now + laterMs, created_at: now }
  return { query: queueIncidentMails, params }
}
