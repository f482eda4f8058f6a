import { validateCheck } from '@watchpost/checks/validate'
import {
  type CheckTypeName,
  checkTypes,
  type FieldErrors,
  type MonitorPatch,
  monitorRoutes,
  serverOptions,
} from '@watchpost/contract'
import { type MonitorView, monitorViewColumns, monitorViewFrom, plannedColumn, watchedColumn } from '@watchpost/store'
import Type from 'typebox'
import type { Context } from '../context.ts'
import { applied, quorumErrors, settingsErrors, withDefaults } from '../domain/monitor-settings.ts'
import { serverErrors } from '../domain/server-monitor.ts'
import { found, type Handlers, type UserCaller } from '../http/handler.ts'
import { listRows } from '../http/list.ts'
import { compileValidator, refuse } from '../http/validate.ts'
import { listChecksOf } from './checks.ts'
import { explainMonitor } from './explanation.ts'
import { hostOf } from './hosts.ts'
import { pathId, takeId } from './ids.ts'
import { readMetrics } from './metrics.ts'
import { changeMonitor, creationSteps, refusePrivate, removeMonitor } from './monitor-change.ts'
import { dayAgo, monitorRow, monitorView, readMonitor, settingsOf } from './monitor-row.ts'
import { testErrors, testTarget } from './monitor-test.ts'

export const monitorHandlers: Handlers<typeof monitorRoutes> = {
  async listMonitors({ query, caller, context }) {
    const { rows, total } = await listRows<MonitorView>(context.db, query, {
      route: monitorRoutes.listMonitors,
      name: 'monitor.list',
      columns: { ...monitorViewColumns, in_maintenance: plannedColumn, watched: watchedColumn },
      from: monitorViewFrom,
      where: 'm.team_id = @team_id',
      params: {
        team_id: caller.team_id,
        hour_from: dayAgo(context),
        now: context.now(),
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
    handle: async ({ context, caller }, row) => ({
      ...monitorView(context, row, caller),
      ...(await hostOf(context, row)),
    }),
  }),

  createMonitor: {
    judge: body => monitorErrors(body, undefined),
    async handle({ body, caller, context }) {
      const id = await takeId(context.db, 'monitor')
      const now = context.now()
      const settings = withDefaults(body)
      refusePrivate(context, caller.team_id, settings)
      await context.db.commit(creationSteps({ team_id: caller.team_id, id }, settings, now))
      return readMonitor(context, caller.team_id, id)
    },
  },

  testMonitor: {
    judge: testErrors,
    handle: ({ body, caller, context }) => testTarget(context, caller.team_id, body),
  },

  replaceMonitor: found({
    find: findMonitor,
    judge: (body, row) => monitorErrors(body, row, false),
    handle: ({ body, context }, row) => changeMonitor(context, row, () => withDefaults(body)),
  }),

  updateMonitor: found({
    find: findMonitor,
    judge: (body, row) => monitorErrors(body, row, true),
    handle: ({ body, context }, row) =>
      changeMonitor(context, row, current => {
        // What was judged before is of settings that somebody else has changed meanwhile.
        if (current.version !== row.version) refuse(monitorErrors(body, current, true))
        return applied(body, settingsOf(current))
      }),
  }),

  deleteMonitor: found({
    find: findMonitor,
    async handle({ context }, row) {
      await removeMonitor(context, row)
      return undefined
    },
  }),

  listMonitorChecks: found({ find: findMonitor, handle: listChecksOf }),

  getMonitorMetrics: found({ find: findMonitor, handle: readMetrics }),

  explainMonitor: found({ find: findMonitor, handle: explainMonitor }),
}

interface OfMonitor {
  params: { id: string }
  caller: UserCaller
  context: Context
}

async function findMonitor({ params, caller, context }: OfMonitor): Promise<MonitorView | undefined> {
  const id = pathId(params.id)
  return id === undefined ? undefined : monitorRow(context, caller.team_id, id)
}

const serverValidator = compileValidator(Type.Object(serverOptions, { additionalProperties: false }))

/** Bytes, nearly: every probe is sent them with every check. */
const largestOptions = 65_536

/** Faults of the target, of the type's options, and of fields that depend on each other. */
export function monitorErrors(body: MonitorPatch, row: MonitorView | undefined, patch = false): FieldErrors {
  const before = row !== undefined && patch ? settingsOf(row) : undefined
  const { type, target, options } = { ...before, ...body, type: row?.type ?? body.type }
  // A type or target that is missing or of another shape is told by the schema.
  const checkable = checkTypes.includes(type as CheckTypeName) && typeof target === 'string' && target !== ''
  if (row?.type === 'server') return serverErrors(body, settingsOf(row), options => serverValidator.errors(options))
  return {
    ...settingsErrors(body, before, row?.type),
    ...(JSON.stringify(options ?? {}).length > largestOptions ? { options: 'must take at most 64 KiB as JSON' } : {}),
    ...quorumErrors(options),
    ...(checkable ? validateCheck({ type: type as CheckTypeName, target, options: options ?? {} }) : {}),
  }
}
