import {
  freeLeases,
  grantLeased,
  type LeasedMonitor,
  leaseDue,
  leaseDueRegion,
  leasedMonitors,
  lostLeases,
  polledProbe,
  type Query,
  regainLeases,
  regionDue,
  releaseProbe,
  type Step,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import type { ProbeCaller } from '../http/handler.ts'
import { liveMs } from '../results/live-probes.ts'

/** What is due and not taken by the probe whose share it is, ms after that is anybody's. */
const graceMs = 3000
/** How often it is written that a probe asks, ms. */
const heardEveryMs = 4000

/** What a probe asks for. */
export interface Wish {
  lease_id: string
  limit: number
  /** Seconds ahead; 0: only what is due now. */
  horizon: number
  /** Whether it gives up first what it was leased. */
  release: boolean
}

/** Runs that a probe was given, and monitors that were taken from it before their time. */
export interface Leased {
  rows: LeasedMonitor[]
  lost: number[]
}

/** Leases to a probe what is its share of what is due, in its region and elsewhere. */
export async function lease(context: Context, caller: ProbeCaller, wish: Wish): Promise<Leased> {
  const { db, live } = context
  const { probe_id, team_id, region } = caller
  const now = context.now()
  await live.refresh()
  const before = pollSteps(context, caller, wish, now)
  if (before.length > 0) await db.commit(before)
  const until = now + wish.horizon * 1000
  const times = { now, until, live_from: now - liveMs, forsaken: now - graceMs }
  const params = { ...times, lease_id: wish.lease_id, probe_id, team_id, holds: Number(wish.horizon > 0) }
  const take = async (query: Query, more: { limit: number; region?: string }) => {
    const [rows = []] = await db.commit([{ query, params: { ...params, ...more } }])
    return (rows as { monitor_id: number }[]).map(row => row.monitor_id)
  }
  const due = await db.one(regionDue, { region, until, now })
  const inRegion = due === undefined ? [] : await take(leaseDueRegion, { limit: wish.limit, region })
  const room = wish.limit - inRegion.length
  const anywhere = room === 0 ? [] : await take(leaseDue, { limit: room })
  const ids = [...inRegion, ...anywhere]
  const rows = ids.length === 0 ? [] : await handOver(context, caller, wish, ids)
  const lost = wish.horizon === 0 ? [] : await db.all(lostLeases, { probe_id, now })
  return { rows, lost: lost.map(row => row.monitor_id) }
}

/** What is written before a lease: that the probe asks, what it gives up, and what others have left behind. */
function pollSteps(context: Context, caller: ProbeCaller, wish: Wish, now: number): Step[] {
  const { live } = context
  const { probe_id, team_id, region } = caller
  const steps: Step[] = []
  const ahead = Number(wish.horizon > 0)
  const known = live.find(probe_id)
  if (known === undefined || known.polls_ahead !== ahead || known.last_seen_at < now - heardEveryMs) {
    steps.push({ query: polledProbe, params: { team_id, probe_id, at: now, ahead } })
    live.heardFrom({ team_id, id: probe_id, region, last_seen_at: now, polls_ahead: ahead })
  }
  if (wish.release) steps.push(...releaseProbe.map(query => ({ query, params: { probe_id, at: now } })))
  // While this server was away nobody could be heard from.
  const listened = now - context.startedAt >= liveMs
  if (listened && live.hasNewlyDead()) {
    const dead = { now, dead_before: now - liveMs }
    steps.push(...freeLeases.map(query => ({ query, params: dead })))
  }
  return steps
}

/** What was leased, once it is written that this probe was given it: only then may it report on it. */
async function handOver({ db }: Context, { probe_id }: ProbeCaller, { lease_id, horizon }: Wish, ids: number[]) {
  const steps: Step[] = [{ query: grantLeased, params: { probe_id, ids } }]
  if (horizon > 0) steps.push({ query: regainLeases, params: { probe_id, ids } })
  await db.commit(steps)
  return db.all(leasedMonitors, { ids, lease_id })
}
