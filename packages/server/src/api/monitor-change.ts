import { ApiError, type Monitor } from '@watchpost/contract'
import {
  ConflictError,
  clearRegions,
  deleteMonitor,
  deleteRollups,
  dropRegions,
  holdMonitor,
  loseLeases,
  type MonitorView,
  rescheduleReminder,
  restartMonitor,
  type Step,
  startRegion,
  touchMonitor,
  updateMonitor,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import {
  changesCheck,
  type MonitorSettings,
  needsNewVerdict,
  regionsOf,
  withOwnTimeout,
} from '../domain/monitor-settings.ts'
import { isPrivateTarget, mustStayOutside } from '../domain/private-target.ts'
import { reminderIntervalMs } from '../domain/reminder.ts'
import { changedMeanwhile } from '../http/request-db.ts'
import { refuse } from '../http/validate.ts'
import { monitorDeletedSteps } from './automatic-incidents.ts'
import { monitorColumns, monitorRow, readMonitor, settingsOf, withoutType } from './monitor-row.ts'

/** A stranger's monitors do not look into the network this server is in. */
export function refusePrivate({ config }: Context, team_id: number, { type, target }: MonitorSettings): void {
  if (mustStayOutside(team_id, config.registration) && isPrivateTarget(type, target)) {
    refuse({ target: 'must not be a private or loopback address on this server' })
  }
}

/** Results of the monitor wait meanwhile, and are judged by what it is then. */
function alone<T>({ results }: Context, { id }: MonitorView, work: () => Promise<T>): Promise<T> {
  return results.exclusively(id, work)
}

/** The monitor with what results have made of it by now, where nobody has changed its settings since it was read. */
async function upToDate(context: Context, row: MonitorView): Promise<MonitorView> {
  const current = await monitorRow(context, row.team_id, row.id)
  return current?.version === row.version ? current : row
}

/** Times a change is decided anew because somebody else changed the monitor, or a result came in, in between. */
const attempts = 20

/**
 * Changes a monitor's settings.
 * @param decide what they become, from what they are: asked again when they are others by now
 */
export function changeMonitor(
  context: Context,
  row: MonitorView,
  decide: (row: MonitorView) => MonitorSettings,
): Promise<Monitor> {
  return alone(context, row, async () => change(context, await upToDate(context, row), decide))
}

/** Deletes a monitor, and resolves the incident it has open. @param more what is done in the same commit */
export function removeMonitor(context: Context, row: MonitorView, more: Step[] = []): Promise<void> {
  return alone(context, row, async () => remove(context, await upToDate(context, row), more))
}

async function change(
  context: Context,
  row: MonitorView,
  decide: (row: MonitorView) => MonitorSettings,
  attempt = 1,
): Promise<Monitor> {
  const { team_id, id } = row
  const after = withOwnTimeout(decide(row))
  if (after.target !== row.target) refusePrivate(context, team_id, after)
  try {
    await context.db.commit(changeSteps(row, after, context.now()))
  } catch (error) {
    if (!(error instanceof ConflictError) || attempt === attempts) throw error
    const current = await monitorRow(context, team_id, id)
    if (current === undefined) throw new ApiError('not_found', 'Not found')
    if (context.exact && current.version !== row.version) throw changedMeanwhile()
    return change(context, current, decide, attempt + 1)
  }
  return readMonitor(context, team_id, id)
}

function changeSteps(row: MonitorView, after: MonitorSettings, now: number): Step[] {
  const before = settingsOf(row)
  const { team_id, id, version } = row
  const settings = { ...withoutType(monitorColumns(after)), team_id, id, version, updated_at: now }
  const steps: Step[] = [{ query: updateMonitor, params: settings, expect: 1 }]
  // Replicas remember its name and options, too.
  if (!changesCheck(before, after)) return [...steps, { query: touchMonitor, params: { team_id, monitor_id: id } }]
  const anew = needsNewVerdict(before, after)
  const { status, due_at } = startOf(after, now)
  const restart = {
    team_id,
    monitor_id: id,
    seq: row.seq,
    status: anew ? status : row.status,
    failures: anew ? 0 : row.failures,
    due_at,
    counts_from: anew ? now : row.counts_from,
    announced_status: anew ? null : row.announced_status,
  }
  // No verdict, no reminder: the next one starts them again.
  const interval_ms = anew ? null : reminderIntervalMs(after.options)
  return [
    ...steps,
    ...loseSteps(row, now),
    { query: restartMonitor, params: restart, expect: 1 },
    ...regionSteps(row, after, now, anew),
    { query: rescheduleReminder, params: { team_id, monitor_id: id, interval_ms } },
  ]
}

async function remove(context: Context, row: MonitorView, more: Step[]): Promise<void> {
  const { team_id, id, seq } = row
  const incident = await monitorDeletedSteps(context.db, { team_id, id }, context.now())
  try {
    await context.db.commit([
      // Else a result that came in between could open an incident that nothing would resolve.
      { query: holdMonitor, params: { team_id, monitor_id: id, seq }, expect: 1 },
      ...incident,
      ...loseSteps(row, context.now()),
      ...deleteMonitor.map(query => ({ query, params: { team_id, id } })),
      ...deleteRollups.map(query => ({ query, params: { monitor_id: id } })),
      ...more,
    ])
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
    const current = await monitorRow(context, team_id, id)
    if (current === undefined) throw new ApiError('not_found', 'Not found')
    if (context.exact && current.version !== row.version) throw changedMeanwhile()
    return remove(context, current, more)
  }
  if (incident.length > 0) context.eventCommitted()
}

/** Whoever holds the monitor ahead is told with its next poll that it does so no longer. */
function loseSteps({ team_id, id: monitor_id }: MonitorView, now: number): Step[] {
  return loseLeases.map(query => ({ query, params: { team_id, monitor_id, now } }))
}

/** How a monitor begins. One with regions is due in each of them, not by itself. */
export function startOf(settings: MonitorSettings, now: number): { status: string; due_at: number | null } {
  if (!settings.enabled) return { status: 'paused', due_at: null }
  // Nobody is sent to look at a server.
  const isDue = settings.type !== 'server' && regionsOf(settings.options) === null
  return { status: 'pending', due_at: isDue ? now : null }
}

/** The regions that a monitor is watched from, due at once. @param anew whether what they said was of something else */
export function regionSteps(
  { team_id, id }: Pick<MonitorView, 'team_id' | 'id'>,
  { options, enabled }: MonitorSettings,
  now: number,
  anew: boolean,
): Step[] {
  const key = { team_id, monitor_id: id }
  const regions = regionsOf(options)?.regions ?? []
  const old: Step =
    anew || regions.length === 0
      ? { query: clearRegions, params: key }
      : { query: dropRegions, params: { ...key, regions } }
  const due_at = enabled ? now : null
  return [old, ...regions.map(region => ({ query: startRegion, params: { ...key, region, since: now, due_at } }))]
}
