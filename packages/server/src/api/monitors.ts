import { validateCheck } from '@watchpost/checks'
import {
  ApiError,
  type CheckTypeName,
  checkTypes,
  type FieldErrors,
  type Monitor,
  type MonitorPatch,
  type MonitorWrite,
  monitorRoutes,
} from '@watchpost/contract'
import {
  ConflictError,
  deleteMonitor,
  deleteRollups,
  holdMonitor,
  insertMonitor,
  insertMonitorState,
  type MonitorView,
  monitorById,
  monitorViewColumns,
  monitorViewFrom,
  plannedColumn,
  rescheduleReminder,
  restartMonitor,
  type Step,
  touchMonitor,
  updateMonitor,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import {
  applied,
  changesCheck,
  type MonitorSettings,
  needsNewVerdict,
  settingsErrors,
  withDefaults,
  withoutSecrets,
} from '../domain/monitor-settings.ts'
import { isPrivateTarget, mustStayOutside } from '../domain/private-target.ts'
import { reminderIntervalMs } from '../domain/reminder.ts'
import { bucketOf } from '../domain/rollup.ts'
import { found, type Handlers, type UserCaller } from '../http/handler.ts'
import { listRows } from '../http/list.ts'
import { refuse } from '../http/validate.ts'
import { monitorDeletedSteps } from './automatic-incidents.ts'
import { listChecksOf } from './checks.ts'
import { pathId, takeId } from './ids.ts'
import { plannedAt } from './maintenance-windows.ts'
import { readMetrics } from './metrics.ts'
import { iso, isoOrNull } from './time.ts'

export const monitorHandlers: Handlers<typeof monitorRoutes> = {
  async listMonitors({ query, caller, context }) {
    const { rows, total } = await listRows<MonitorView>(context.db, query, {
      route: monitorRoutes.listMonitors,
      name: 'monitor.list',
      columns: { ...monitorViewColumns, in_maintenance: plannedColumn },
      from: monitorViewFrom,
      where: 'm.team_id = @team_id',
      params: {
        team_id: caller.team_id,
        hour_from: dayAgo(context),
        ...context.windows.covered(caller.team_id, context.now()),
      },
      fields: { interval: 'interval_s', timeout: 'timeout_s' },
      countFrom: 'monitors m',
    })
    return { rows: rows.map(row => monitorView(context, row, caller)), total }
  },

  getMonitor: found({
    find: findMonitor,
    version: row => row.version,
    handle: async ({ context, caller }, row) => monitorView(context, row, caller),
  }),

  createMonitor: {
    judge: body => monitorErrors(body, undefined),
    async handle({ body, caller, context }) {
      const id = await takeId(context.db, 'monitor')
      const now = context.now()
      const settings = withDefaults(body)
      refusePrivate(context, caller.team_id, settings)
      const { status, due_at } = startOf(settings, now)
      await context.db.commit([
        {
          query: insertMonitor,
          params: { ...monitorColumns(settings), team_id: caller.team_id, id, created_at: now, updated_at: now },
        },
        { query: insertMonitorState, params: { team_id: caller.team_id, monitor_id: id, status, due_at } },
      ])
      return readMonitor(context, caller.team_id, id)
    },
  },

  replaceMonitor: found({
    find: findMonitor,
    judge: (body, row) => monitorErrors(body, row, false),
    handle: ({ body, context }, row) =>
      alone(context, row, async () => change(context, await upToDate(context, row), () => withDefaults(body))),
  }),

  updateMonitor: found({
    find: findMonitor,
    judge: (body, row) => monitorErrors(body, row, true),
    handle: ({ body, context }, row) =>
      alone(context, row, async () =>
        change(context, await upToDate(context, row), current => applied(body, settingsOf(current))),
      ),
  }),

  deleteMonitor: found({
    find: findMonitor,
    async handle({ context }, row) {
      await alone(context, row, async () => remove(context, await upToDate(context, row)))
      return undefined
    },
  }),

  listMonitorChecks: found({ find: findMonitor, handle: listChecksOf }),

  getMonitorMetrics: found({ find: findMonitor, handle: readMetrics }),
}

/** The first whole hour of the last 24. */
const dayAgo = (context: Context) => bucketOf(context.now(), '1h') - 23

interface OfMonitor {
  params: { id: string }
  caller: UserCaller
  context: Context
}

async function findMonitor({ params, caller, context }: OfMonitor): Promise<MonitorView | undefined> {
  const id = pathId(params.id)
  return id === undefined ? undefined : monitorRow(context, caller.team_id, id)
}

function monitorRow(context: Context, team_id: number, id: number): Promise<MonitorView | undefined> {
  return context.db.one(monitorById, { team_id, id, hour_from: dayAgo(context) })
}

async function readMonitor(context: Context, team_id: number, id: number): Promise<Monitor> {
  const row = await monitorRow(context, team_id, id)
  if (row === undefined) throw new ApiError('not_found', 'Not found')
  return monitorView(context, row)
}

/** A stranger's monitors do not look into the network this server is in. */
function refusePrivate({ config }: Context, team_id: number, { type, target }: MonitorSettings): void {
  if (mustStayOutside(team_id, config.registration) && isPrivateTarget(type, target)) {
    refuse({ target: 'must not be a private or loopback address on this server' })
  }
}

/** Bytes, nearly: every probe is sent them with every check. */
const largestOptions = 65_536

/** Faults of the target, of the type's options, and of fields that depend on each other. */
function monitorErrors(body: MonitorPatch, row: MonitorView | undefined, patch = false): FieldErrors {
  const before = row !== undefined && patch ? settingsOf(row) : undefined
  const { type, target, options } = { ...before, ...body, type: row?.type ?? body.type }
  // A type or target that is missing or of another shape is told by the schema.
  const checkable = checkTypes.includes(type as CheckTypeName) && typeof target === 'string' && target !== ''
  return {
    ...settingsErrors(body, before, row?.type),
    ...(JSON.stringify(options ?? {}).length > largestOptions ? { options: 'must take at most 64 KiB as JSON' } : {}),
    ...(checkable ? validateCheck({ type: type as CheckTypeName, target, options: options ?? {} }) : {}),
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

/** @param decide what the settings become, from what they are: asked again when they are others by now */
async function change(
  context: Context,
  row: MonitorView,
  decide: (row: MonitorView) => MonitorSettings,
  attempt = 1,
): Promise<Monitor> {
  const { team_id, id } = row
  const after = decide(row)
  if (after.target !== row.target) refusePrivate(context, team_id, after)
  try {
    await context.db.commit(changeSteps(row, after, context.now()))
  } catch (error) {
    if (!(error instanceof ConflictError) || attempt === attempts) throw error
    const current = await monitorRow(context, team_id, id)
    if (current === undefined) throw new ApiError('not_found', 'Not found')
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
    { query: restartMonitor, params: restart, expect: 1 },
    { query: rescheduleReminder, params: { team_id, monitor_id: id, interval_ms } },
  ]
}

async function remove(context: Context, { team_id, id, seq }: MonitorView): Promise<void> {
  const incident = await monitorDeletedSteps(context.db, { team_id, id }, context.now())
  try {
    await context.db.commit([
      // Else a result that came in between could open an incident that nothing would resolve.
      { query: holdMonitor, params: { team_id, monitor_id: id, seq }, expect: 1 },
      ...incident,
      ...deleteMonitor.map(query => ({ query, params: { team_id, id } })),
      ...deleteRollups.map(query => ({ query, params: { monitor_id: id } })),
    ])
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
    const current = await monitorRow(context, team_id, id)
    if (current === undefined) throw new ApiError('not_found', 'Not found')
    return remove(context, current)
  }
  if (incident.length > 0) context.eventCommitted()
}

function startOf(settings: MonitorSettings, now: number): { status: string; due_at: number | null } {
  return settings.enabled ? { status: 'pending', due_at: now } : { status: 'paused', due_at: null }
}

function monitorColumns(settings: MonitorSettings) {
  return {
    name: settings.name,
    target: settings.target,
    type: settings.type,
    interval_s: settings.interval,
    timeout_s: settings.timeout,
    method: settings.method,
    ssl_verify: Number(settings.ssl_verify),
    enabled: Number(settings.enabled),
    is_active: Number(settings.is_active),
    options: JSON.stringify(settings.options),
  }
}

function withoutType({ type: _, ...columns }: ReturnType<typeof monitorColumns>) {
  return columns
}

function settingsOf(row: MonitorView): MonitorSettings {
  return {
    name: row.name,
    target: row.target,
    type: row.type as MonitorWrite['type'],
    interval: row.interval_s,
    timeout: row.timeout_s,
    method: row.method as MonitorSettings['method'],
    ssl_verify: row.ssl_verify === 1,
    enabled: row.enabled === 1,
    is_active: row.is_active === 1,
    options: JSON.parse(row.options),
  }
}

/** @param reader who is shown it; a viewer never sees a secret (ruling 16) */
function monitorView(context: Context, row: MonitorView, reader?: UserCaller): Monitor {
  const settings = settingsOf(row)
  const options = reader?.role === 'viewer' ? withoutSecrets(settings.options) : settings.options
  return {
    id: row.id,
    ...settings,
    options,
    status: row.status as Monitor['status'],
    in_maintenance: plannedAt(context, row.team_id, row.id, context.now()),
    last_check_at: isoOrNull(row.last_check_at),
    response_time_ms: row.response_time_ms,
    uptime_24h: row.uptime_24h === null ? null : Math.round(row.uptime_24h * 1000) / 1000,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}
