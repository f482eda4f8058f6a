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
import type { LeasedMonitor } from '@watchpost/store'
import type { Context } from '../context.ts'
import { mustStayOutside } from '../domain/private-target.ts'
import type { Handlers, ProbeCaller } from '../http/handler.ts'
import { compileValidator } from '../http/validate.ts'
import { newNonce } from '../results/read-result.ts'
import { submitHeartbeat } from './heartbeat.ts'
import { lease } from './leases.ts'
import { instanceTeam } from './probes.ts'
import { iso } from './time.ts'

/** Seconds between two fetches of a probe: how late a new monitor may get its first check. */
const pollAfterS = 2

const resultValidator = compileValidator(CheckResult)

export const probeApiHandlers: Handlers<typeof probeApiRoutes> = {
  submitHeartbeat,

  async getChecks({ query, caller, context }) {
    const { limit = 100, horizon = 0, release = false } = query
    // What was looked at is not due any more.
    await context.results.settle()
    const lease_id = randomBytes(9).toString('base64url')
    const nonce = newNonce()
    const { rows, lost } = await lease(context, caller, { lease_id, limit, horizon, release })
    return {
      success: true,
      message: 'Success',
      data: rows.map(row => dueCheck(row, nonce, allowsPrivate(context, caller, row))),
      meta: {
        server_time: iso(context.now()),
        poll_after_seconds: rows.length === limit ? 0 : pollAfterS,
        ...(lost.length > 0 ? { lost } : {}),
      },
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
