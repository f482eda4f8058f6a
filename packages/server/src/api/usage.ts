import {
  ApiError,
  type Quota,
  type QuotaName,
  quotaNames,
  type TopUpBalance,
  type TopUpName,
  topUpQuotas,
  type Usage,
  type usageRoutes,
} from '@watchpost/contract'
import { addTopUp, appById, ConflictError, type Step } from '@watchpost/store'
import { reachedOn } from '../domain/quota.ts'
import { found, type Handlers } from '../http/handler.ts'
import { refuse } from '../http/validate.ts'
import { settleForReading } from '../settle-for-reading.ts'
import { findApp } from './apps.ts'
import { type Budget, type QuotaState, readBudget } from './usage-steps.ts'

export const usageHandlers: Handlers<typeof usageRoutes> = {
  getUsage: found({
    find: findApp,
    handle: async ({ context }, app) => {
      await settleForReading(context.telemetry)
      const now = context.now()
      return usageView(await readBudget(context.db, app, now), now)
    },
  }),

  topUpApp: found({
    find: findApp,
    judge(body) {
      // None of a group that is required is no body at all (specification 7).
      if (names.some(name => name in body)) return {}
      throw new ApiError('bad_request', `The body names none of ${names.join(', ')}`)
    },
    async handle({ body, context }, app) {
      // What was used by now was used before this.
      await context.telemetry.settle()
      const { team_id, id: app_id } = app
      const given = names.filter(name => body[name] !== undefined)
      const steps = given.map((name): Step => {
        const params = { team_id, app_id, quota: topUpQuotas[name], amount: body[name] as number, most }
        return { query: addTopUp, params, expect: 1 }
      })
      try {
        await context.db.commit(steps)
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
        if ((await context.db.one(appById, { team_id, id: app_id })) === undefined) {
          throw new ApiError('not_found', 'Not found')
        }
        const { quotas } = await readBudget(context.db, app, context.now())
        const beyond = given.filter(name => quotas[topUpQuotas[name]].topUp.balance + (body[name] as number) > most)
        refuse(Object.fromEntries(beyond.map(name => [name, `the balance must not exceed ${most}`])))
        throw error
      }
      return balances(await readBudget(context.db, app, context.now()))
    },
  }),
}

const names = Object.keys(topUpQuotas) as TopUpName[]

/** Beyond this nobody counts, and numbers in JSON would soon not be exact. */
const most = 1_000_000_000_000_000

function usageView(budget: Budget, now: number): Usage {
  const quotas = quotaNames.map((quota): [QuotaName, Quota] => [quota, quotaView(budget.quotas[quota])])
  return {
    period: budget.period,
    quotas: Object.fromEntries(quotas) as Record<QuotaName, Quota>,
    forecast: forecast(budget, now),
    overage_handling: 'reject',
    top_up_balance: balances(budget),
  }
}

function forecast({ quotas }: Budget, now: number): Usage['forecast'] {
  const days = quotaNames.map(quota => [quota, reachedOn(quotas[quota].row?.used ?? 0, quotas[quota].limit, now)])
  return Object.fromEntries(days) as Usage['forecast']
}

function quotaView({ limit, row }: QuotaState): Quota {
  const used = row?.used ?? 0
  return { limit, used, remaining: limit === null ? null : Math.max(0, limit - used) }
}

function balances({ quotas }: Budget): TopUpBalance {
  const entries = names.map(name => [name, quotas[topUpQuotas[name]].topUp.balance])
  return Object.fromEntries(entries) as TopUpBalance
}
