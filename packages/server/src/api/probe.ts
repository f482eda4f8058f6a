import { randomBytes } from 'node:crypto'
import { ApiError, type BatchVerdict, CheckResult, type DueCheck, type probeApiRoutes } from '@watchpost/contract'
import { grantLeased, type LeasedMonitor, leaseDue, leasedMonitors, releaseProbe } from '@watchpost/store'
import type { Context } from '../context.ts'
import { mustStayOutside } from '../domain/private-target.ts'
import type { Handlers, ProbeCaller } from '../http/handler.ts'
import { compileValidator } from '../http/validate.ts'
import { acceptResult } from './accept-result.ts'
import { instanceTeam } from './probes.ts'
import { iso } from './time.ts'

/** Seconds between two fetches of a probe: how late a new monitor may get its first check. */
const pollAfterS = 2

const resultValidator = compileValidator(CheckResult)

export const probeApiHandlers: Handlers<typeof probeApiRoutes> = {
  async getChecks({ query, caller, context }) {
    const { limit = 100, horizon = 0, release = false } = query
    const now = context.now()
    const { probe_id } = caller
    if (release) await context.db.commit([{ query: releaseProbe, params: { probe_id, at: now } }])
    const lease_id = randomBytes(9).toString('base64url')
    const until = now + horizon * 1000
    const lease = { lease_id, probe_id, team_id: caller.team_id, now, until, holds: Number(horizon > 0), limit }
    const [leased = []] = await context.db.commit([{ query: leaseDue, params: lease }])
    const rows =
      leased.length === 0 ? [] : await handOver(context, probe_id, lease_id, leased as { monitor_id: number }[])
    return {
      success: true,
      message: 'Success',
      data: rows.map(row => dueCheck(row, lease_id, allowsPrivate(context, caller, row))),
      meta: { server_time: iso(now), poll_after_seconds: rows.length === limit ? 0 : pollAfterS },
    }
  },

  submitResult: ({ body, caller, context }) => acceptResult(context, caller, body),

  async submitResults({ body, caller, context }) {
    // Results of one monitor are judged in their order; those of different monitors share a commit.
    const queues = Map.groupBy(body.results.entries(), ([, result]) => result?.monitor_id)
    const answers: BatchVerdict[] = []
    await Promise.all(
      [...queues.values()].map(async queue => {
        for (const [index, result] of queue) answers[index] = await judgeOne(context, caller, result)
      }),
    )
    return { data: answers }
  },
}

/** What was leased, once it is written that this probe was given it: only then may it report on it. */
async function handOver(context: Context, probe_id: number, lease_id: string, leased: { monitor_id: number }[]) {
  const ids = leased.map(({ monitor_id }) => monitor_id)
  await context.db.commit([{ query: grantLeased, params: { probe_id, ids } }])
  return context.db.all(leasedMonitors, { ids, lease_id })
}

async function judgeOne(context: Context, caller: ProbeCaller, result: CheckResult): Promise<BatchVerdict> {
  const faults = Object.entries(resultValidator.errors(result))
  if (faults.length > 0) return { ok: false, error: faults.map(([field, fault]) => `${field} ${fault}`).join('; ') }
  try {
    const { status, next_due_at } = await acceptResult(context, caller, result)
    return { ok: true, status, next_due_at }
  } catch (error) {
    // Only what sending it again cannot mend; a failing store fails the whole request, to be sent again.
    if (error instanceof ApiError && error.status < 500) return { ok: false, error: error.message }
    throw error
  }
}

/** A team's own probe looks into its own network; this server's probes do so for its operator alone, where strangers register. */
function allowsPrivate({ config }: Context, caller: ProbeCaller, { team_id }: LeasedMonitor): boolean {
  return caller.team_id !== instanceTeam || !mustStayOutside(team_id, config.registration)
}

function dueCheck(row: LeasedMonitor, lease_id: string, allow_private: boolean): DueCheck {
  return {
    run_id: `${lease_id}.${row.id}`,
    monitor_id: row.id,
    type: row.type as DueCheck['type'],
    target: row.target,
    method: row.method as DueCheck['method'],
    interval: row.interval_s,
    timeout: row.timeout_s,
    ssl_verify: row.ssl_verify === 1,
    options: JSON.parse(row.options),
    due_at: iso(row.due_at),
    lease_until: iso(row.lease_until),
    ...(allow_private ? {} : { allow_private }),
  }
}
