import { ApiError, type Probe, type ProvisionedProbe, probeRoutes } from '@watchpost/contract'
import {
  deleteHeartbeat,
  deleteProbe,
  insertProbe,
  type ProbeView,
  probeById,
  probeViewColumns,
  probeViewFrom,
  releaseProbe,
  type Step,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { hostView, workView } from '../domain/host.ts'
import { found, type Handlers, type UserCaller } from '../http/handler.ts'
import { listRows } from '../http/list.ts'
import { hashToken, newToken } from '../secrets.ts'
import { pathId, takeId } from './ids.ts'
import { removeMonitor } from './monitor-change.ts'
import { monitorRow } from './monitor-row.ts'
import { commitWithinPlan } from './plan-room.ts'
import { serverMonitorSteps } from './server-monitors.ts'
import { iso, isoOrNull } from './time.ts'

/** Team of the instance's own probes, which serve every team. */
export const instanceTeam = 0

/** The instance's own probe is shown as long as it was heard from in this time: it may have been for a day only. */
const sharedShownMs = 7 * 24 * 3_600_000

export const probeHandlers: Handlers<typeof probeRoutes> = {
  async listProbes({ query, caller, context }) {
    const { rows, total } = await listRows<ProbeView>(context.db, query, {
      route: probeRoutes.listProbes,
      name: 'probe.list',
      columns: probeViewColumns,
      from: probeViewFrom,
      where: '(p.team_id = @team_id or (p.team_id = 0 and p.last_seen_at > @since)) and p.deleted_at is null',
      params: { team_id: caller.team_id, since: context.now() - sharedShownMs },
      countFrom: 'probes p',
    })
    return { rows: rows.map(probeView), total }
  },

  getProbe: found({ find: findProbe, handle: async (_, row) => probeView(row) }),

  async createProbe({ body, caller, context }) {
    return provisionProbe(context, caller.team_id, body.name, body.region ?? 'default')
  },

  deleteProbe: found({
    find: findProbe,
    async handle({ context }, { team_id, id, monitor_id, shared }) {
      if (shared === 1) {
        throw new ApiError('forbidden', 'It runs beside the server, for every team; start that without --with-probe')
      }
      const at = context.now()
      const steps: Step[] = [
        { query: deleteProbe, params: { team_id, id, at } },
        ...releaseProbe.map(query => ({ query, params: { probe_id: id, at } })),
        { query: deleteHeartbeat, params: { probe_id: id } },
      ]
      const monitor = monitor_id === null ? undefined : await monitorRow(context, team_id, monitor_id)
      await (monitor === undefined ? context.db.commit(steps) : removeMonitor(context, monitor, steps))
      context.probes.forget(id)
      return undefined
    },
  }),
}

interface OfProbe {
  params: { id: string }
  caller: UserCaller
  context: Context
}

async function findProbe({ params, caller, context }: OfProbe): Promise<ProbeView | undefined> {
  const id = pathId(params.id)
  return id === undefined ? undefined : context.db.one(probeById, { team_id: caller.team_id, id })
}

/** Makes a probe; what is returned holds its token, which is nowhere else. */
export async function provisionProbe(
  context: Pick<Context, 'db' | 'now'>,
  team_id: number,
  name: string,
  region: string,
): Promise<ProvisionedProbe> {
  const id = await takeId(context.db, 'probe')
  const token = newToken('probe')
  const created_at = context.now()
  const row = { team_id, id, name, region, created_at }
  const make = { query: insertProbe, params: { ...row, hash: hashToken(token), watched: 0 } }
  let monitor_id: number | null = null
  if (team_id === instanceTeam) {
    // The instance's own probes are no plan's; their monitor is made once there is a team to see it.
    await context.db.commit([make])
  } else {
    monitor_id = await takeId(context.db, 'monitor')
    const monitor = serverMonitorSteps({ team_id, probe_id: id, name }, monitor_id, created_at)
    await commitWithinPlan(context, team_id, 'servers', make, ...monitor)
  }
  const nothing = {
    shared: team_id === instanceTeam ? 1 : 0,
    version: null,
    last_seen_at: null,
    heartbeat_at: null,
    started_at: null,
    host: null,
    work: null,
  }
  return { ...probeView({ ...row, ...nothing, monitor_id }), token }
}

function probeView(row: ProbeView): Probe {
  const { heartbeat_at, host, work } = row
  // How the server's own machine is, and what it does for others, is for its operators.
  const mayKnow = row.shared === 0 || row.monitor_id !== null
  const told = mayKnow && heartbeat_at !== null && host !== null && work !== null
  return {
    id: row.id,
    name: row.name,
    region: row.region,
    version: row.version,
    last_seen_at: isoOrNull(row.last_seen_at),
    started_at: isoOrNull(row.started_at),
    shared: row.shared === 1,
    monitor_id: row.monitor_id,
    host: told ? hostView(JSON.parse(host), iso(heartbeat_at)) : null,
    work: told ? workView(JSON.parse(work)) : null,
    created_at: iso(row.created_at),
  }
}
