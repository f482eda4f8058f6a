import { randomBytes } from 'node:crypto'
import {
  ApiError,
  type BatchVerdict,
  CheckResult,
  type DueCheck,
  type probeApiRoutes,
  runId,
  type Verdict,
} from '@watchpost/contract'
import { grantLeased, type LeasedMonitor, leaseDue, leasedMonitors, releaseProbe } from '@watchpost/store'
import type { Context } from '../context.ts'
import { mustStayOutside } from '../domain/private-target.ts'
import type { Handlers, ProbeCaller } from '../http/handler.ts'
import { compileValidator } from '../http/validate.ts'
import { newNonce } from '../results/read-result.ts'
import { submitHeartbeat } from './heartbeat.ts'
import { instanceTeam } from './probes.ts'
import { iso } from './time.ts'

/** Seconds between two fetches of a probe: how late a new monitor may get its first check. */
const pollAfterS = 2

const resultValidator = compileValidator(CheckResult)

export const probeApiHandlers: Handlers<typeof probeApiRoutes> = {
  submitHeartbeat,

  async getChecks({ query, caller, context }) {
    const { limit = 100, horizon = 0, release = false } = query
    const now = context.now()
    const { probe_id } = caller
    // What was looked at is not due any more.
    await context.results.settle()
    if (release) await context.db.commit([{ query: releaseProbe, params: { probe_id, at: now } }])
    const lease_id = randomBytes(9).toString('base64url')
    const nonce = newNonce()
    const until = now + horizon * 1000
    const lease = { lease_id, probe_id, team_id: caller.team_id, now, until, holds: Number(horizon > 0), limit }
    const [leased = []] = await context.db.commit([{ query: leaseDue, params: lease }])
    const rows =
      leased.length === 0 ? [] : await handOver(context, probe_id, lease_id, leased as { monitor_id: number }[])
    return {
      success: true,
      message: 'Success',
      data: rows.map(row => dueCheck(row, nonce, allowsPrivate(context, caller, row))),
      meta: { server_time: iso(now), poll_after_seconds: rows.length === limit ? 0 : pollAfterS },
    }
  },

  async submitResult({ body, caller, context }) {
    const [answer] = await context.results.accept(caller, [body])
    if (answer instanceof Error) throw answer
    return answer as Verdict
  },

  async submitResults({ body, caller, context }) {
    const faults = body.results.map(faultOf)
    const sound = body.results.filter((_, index) => faults[index] === undefined)
    const answers = sound.length === 0 ? [] : await context.results.accept(caller, sound)
    let next = 0
    return {
      data: faults.map(fault => (fault === undefined ? batchVerdict(answers[next++]) : { ok: false, error: fault })),
    }
  },
}

/** What was leased, once it is written that this probe was given it: only then may it report on it. */
async function handOver(context: Context, probe_id: number, lease_id: string, leased: { monitor_id: number }[]) {
  const ids = leased.map(({ monitor_id }) => monitor_id)
  await context.db.commit([{ query: grantLeased, params: { probe_id, ids } }])
  return context.db.all(leasedMonitors, { ids, lease_id })
}

/** What is wrong with a result by itself; undefined where nothing is. */
function faultOf(result: CheckResult): string | undefined {
  const faults = resultValidator.errors(result)
  let sentence: string | undefined
  for (const field in faults) sentence = `${sentence === undefined ? '' : `${sentence}; `}${field} ${faults[field]}`
  return sentence
}

/** A team's own probe looks into its own network; this server's probes do so for its operator alone, where strangers register. */
function allowsPrivate({ config }: Context, caller: ProbeCaller, { team_id }: LeasedMonitor): boolean {
  return caller.team_id !== instanceTeam || !mustStayOutside(team_id, config.registration)
}

/** @throws what sending it again may mend: the whole request is to be sent again */
function batchVerdict(answer: Verdict | ApiError | undefined): BatchVerdict {
  if (answer instanceof ApiError) {
    if (answer.status >= 500) throw answer
    const faults = Object.entries(answer.errors).map(([field, fault]) => `${field} ${fault}`)
    return { ok: false, error: faults.length > 0 ? faults.join('; ') : answer.message }
  }
  const { status, next_due_at } = answer as Verdict
  return { ok: true, status, next_due_at }
}

function dueCheck(row: LeasedMonitor, nonce: number, allow_private: boolean): DueCheck {
  return {
    run_id: runId({ monitor_id: row.id, due_at: row.due_at, nonce }),
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
