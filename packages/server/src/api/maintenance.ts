import { ApiError, type MaintenanceWindow, type MaintenanceWindowPatch, maintenanceRoutes } from '@watchpost/contract'
import {
  addMaintenanceMonitors,
  ConflictError,
  clearMaintenanceMonitors,
  deleteMaintenanceWindow,
  insertMaintenanceWindow,
  maintenanceWindowById,
  maintenanceWindowsOf,
  markMaintenanceChange,
  monitorsAmong,
  monitorsOfMaintenance,
  monitorsOfWindow,
  type Step,
  takeIds,
  updateMaintenanceWindow,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import {
  applied,
  type MaintenanceSettings,
  settingsErrors,
  standingAt,
  statusOf,
  withDefaults,
} from '../domain/maintenance.ts'
import { found, type Handlers, type UserCaller } from '../http/handler.ts'
import { listKept } from '../http/list.ts'
import { refuse } from '../http/validate.ts'
import { pathId, takeId } from './ids.ts'
import { type KeptWindow, keptWindows, windowColumns, windowView } from './maintenance-windows.ts'

export const maintenanceHandlers: Handlers<typeof maintenanceRoutes> = {
  async listMaintenanceWindows({ query, caller, context }) {
    const now = context.now()
    const windows = (await windowsOf(context, caller.team_id)).map(window => windowView(window, now))
    return listKept(windows, query, { route: maintenanceRoutes.listMaintenanceWindows, order: '-starts_at,-id' })
  },

  getMaintenanceWindow: found({
    find: findWindow,
    handle: async ({ context }, window) => windowView(window, context.now()),
  }),

  async createMaintenanceWindow({ body, caller, context }) {
    const { team_id } = caller
    const now = context.now()
    const settings = withDefaults(body, now)
    await judge(context, team_id, body, settings, now)
    const room = await makeRoom(context, team_id, now)
    const id = await takeId(context.db, 'maintenance_window')
    const window = newWindow({ team_id, id }, settings, now)
    await commit(context, team_id, body, settings, [...room, ...insertion(window)])
    return windowView(window, now)
  },

  replaceMaintenanceWindow: found({
    find: findWindow,
    handle: ({ body, context }, window) =>
      change(context, window, body, before => withDefaults(body, before.created_at)),
  }),

  updateMaintenanceWindow: found({
    find: findWindow,
    handle: ({ body, context }, window) => change(context, window, body, before => applied(body, before)),
  }),

  deleteMaintenanceWindow: found({
    find: findWindow,
    async handle({ context }, { team_id, id }) {
      await context.db.commit([...deletion(team_id, id), ...changed(team_id)])
      await know(context)
      return undefined
    },
  }),
}

export const newWindow = (
  key: { team_id: number; id: number },
  settings: MaintenanceSettings,
  now: number,
): KeptWindow => ({ ...settings, ...key, version: 1, created_at: now, updated_at: now, managed_by: null })

export function insertion(window: KeptWindow): Step[] {
  const { team_id, id, created_at, updated_at } = window
  const params = { ...windowColumns(window), team_id, id, created_at, updated_at }
  return [{ query: insertMaintenanceWindow, params }, ...monitorSteps(window)]
}

/** If nobody has written the window since it was read. */
export function update({ version }: KeptWindow, after: KeptWindow): Step[] {
  const { team_id, id, updated_at } = after
  return [
    {
      query: updateMaintenanceWindow,
      params: { ...windowColumns(after), team_id, id, version, updated_at },
      expect: 1,
    },
    { query: clearMaintenanceMonitors, params: { team_id, id } },
    ...monitorSteps(after),
  ]
}

interface OfWindow {
  params: { id: string }
  caller: UserCaller
  context: Context
}

async function findWindow({ params, caller, context }: OfWindow): Promise<KeptWindow | undefined> {
  const id = pathId(params.id)
  return id === undefined ? undefined : windowOf(context, caller.team_id, id)
}

async function windowOf(context: Context, team_id: number, id: number): Promise<KeptWindow | undefined> {
  // In this order: monitors that are newer than the version are found out by it, older ones would not be.
  const rows = await context.db.all(maintenanceWindowById, { team_id, id })
  const links = await context.db.all(monitorsOfWindow, { team_id, id })
  return keptWindows(rows, links)[0]
}

export async function windowsOf(context: Context, team_id: number): Promise<KeptWindow[]> {
  const params = { team_ids: [team_id] }
  const rows = await context.db.all(maintenanceWindowsOf, params)
  const links = await context.db.all(monitorsOfMaintenance, params)
  return keptWindows(rows, links)
}

/** What the schema cannot say; monitors are the team's own. */
async function judge(
  context: Context,
  team_id: number,
  body: MaintenanceWindowPatch,
  settings: MaintenanceSettings,
  now: number,
): Promise<void> {
  const errors = settingsErrors(body, settings, now)
  const ids = body.monitor_ids ?? []
  const there = new Set((await context.db.all(monitorsAmong, { team_id, ids })).map(({ id }) => id))
  const missing = ids.filter(id => !there.has(id))
  if (missing.length > 0) errors.monitor_ids = `no such monitor: ${missing.join(', ')}`
  refuse(errors)
}

/** A team keeps this many: the list is read as a whole, since its order and filters may be by status. */
const mostWindows = 1000

/** Those that ended longest ago make room for a new one; they would only be looked up. */
export async function makeRoom(context: Context, team_id: number, now: number, count = 1): Promise<Step[]> {
  const windows = await context.db.all(maintenanceWindowsOf, { team_ids: [team_id] })
  const tooMany = windows.length - mostWindows + count
  if (tooMany <= 0) return []
  const over = keptWindows(windows, [])
    .filter(window => statusOf(standingAt(window, now)) === 'ended')
    .sort((a, b) => a.ends_at - b.ends_at)
    .slice(0, tooMany)
  if (over.length < tooMany) {
    throw new ApiError(
      'conflict',
      `A team has ${mostWindows} maintenance windows at most; delete one that is not needed`,
    )
  }
  return over.flatMap(({ id }) => deletion(team_id, id))
}

/** Times a change is decided anew because another came in between. */
const attempts = 20

/** @param settle what it becomes, from what it is: asked again when somebody else was faster */
async function change(
  context: Context,
  found: KeptWindow,
  body: MaintenanceWindowPatch,
  settle: (before: KeptWindow) => MaintenanceSettings,
  attempt = 1,
): Promise<MaintenanceWindow> {
  const { team_id, id } = found
  const now = context.now()
  const settings = settle(found)
  await judge(context, team_id, body, settings, now)
  const after = { ...found, ...settings, updated_at: now }
  try {
    await commit(context, team_id, body, settings, update(found, after))
  } catch (error) {
    if (!(error instanceof ConflictError) || attempt === attempts) throw error
    const current = await windowOf(context, team_id, id)
    if (current === undefined) throw new ApiError('not_found', 'Not found')
    return change(context, current, body, settle, attempt + 1)
  }
  return windowView(after, now)
}

/** Writes a change of windows, and knows it here before it is answered. */
async function commit(
  context: Context,
  team_id: number,
  body: MaintenanceWindowPatch,
  settings: MaintenanceSettings,
  steps: Step[],
): Promise<void> {
  try {
    await context.db.commit([...steps, ...changed(team_id)])
  } catch (error) {
    // A monitor that went away in between is said by its field.
    if (error instanceof ConflictError) await judge(context, team_id, body, settings, context.now())
    throw error
  }
  await know(context)
}

/** What was committed holds, although it cannot be read back just now: then it is known with the next look at all changes. */
export async function know({ windows, log }: Context): Promise<void> {
  await windows
    .refresh()
    .catch(error => log.warn({ err: error }, 'a maintenance window is kept, but not known here yet'))
}

/** Tells every replica that the team's windows are others now. */
export function changed(team_id: number): Step[] {
  return [
    { query: takeIds, params: { name: 'maintenance_change', count: 1 } },
    { query: markMaintenanceChange, params: { team_id } },
  ]
}

function monitorSteps({ team_id, id, monitor_ids }: KeptWindow): Step[] {
  if (monitor_ids.length === 0) return []
  return [{ query: addMaintenanceMonitors, params: { team_id, id, ids: monitor_ids }, expect: monitor_ids.length }]
}

export function deletion(team_id: number, id: number): Step[] {
  return deleteMaintenanceWindow.map(query => ({ query, params: { team_id, id } }))
}
