import { type Probe, type ProvisionedProbe, probeRoutes } from '@watchpost/contract'
import { deleteProbe, insertProbe, type ProbeRow, probeById, probeColumns, releaseProbe } from '@watchpost/store'
import type { Context } from '../context.ts'
import { found, type Handlers } from '../http/handler.ts'
import { columnsByName, listRows } from '../http/list.ts'
import { hashToken, newToken } from '../secrets.ts'
import { pathId, takeId } from './ids.ts'
import { commitWithinPlan } from './plan-room.ts'
import { iso, isoOrNull } from './time.ts'

/** Team of the instance's own probes, which serve every team. */
export const instanceTeam = 0

export const probeHandlers: Handlers<typeof probeRoutes> = {
  async listProbes({ query, caller, context }) {
    const { rows, total } = await listRows<ProbeRow>(context.db, query, {
      route: probeRoutes.listProbes,
      name: 'probe.list',
      columns: columnsByName(probeColumns),
      from: 'probes',
      where: 'team_id = @team_id and deleted_at is null',
      params: { team_id: caller.team_id },
    })
    return { rows: rows.map(probeView), total }
  },

  async createProbe({ body, caller, context }) {
    return provisionProbe(context, caller.team_id, body.name, body.region ?? 'default')
  },

  deleteProbe: found({
    async find({ params, caller, context }) {
      const id = pathId(params.id)
      return id === undefined ? undefined : context.db.one(probeById, { team_id: caller.team_id, id })
    },
    async handle({ context }, { team_id, id }) {
      const at = context.now()
      await context.db.commit([
        { query: deleteProbe, params: { team_id, id, at } },
        ...releaseProbe.map(query => ({ query, params: { probe_id: id, at } })),
      ])
      context.probes.forget(id)
      return undefined
    },
  }),
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
  const row = { team_id, id, name, region, created_at: context.now() }
  const make = { query: insertProbe, params: { ...row, hash: hashToken(token) } }
  // The instance's own probes are nobody's, and no plan's.
  if (team_id === instanceTeam) await context.db.commit([make])
  else await commitWithinPlan(context, team_id, 'servers', make)
  return { ...probeView({ ...row, version: null, last_seen_at: null }), token }
}

function probeView(row: ProbeRow): Probe {
  return {
    id: row.id,
    name: row.name,
    region: row.region,
    version: row.version,
    last_seen_at: isoOrNull(row.last_seen_at),
    created_at: iso(row.created_at),
  }
}
