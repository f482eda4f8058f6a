import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type QuotaName, quotaNames, type UsageThreshold } from '@watchpost/contract'
import {
  type AppOfKey,
  addUsage,
  appById,
  ConflictError,
  type Db,
  drawTopUp,
  quotasOfTeam,
  type Step,
  startUsage,
  teamById,
  topUpsOfApp,
  usageOfApp,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import {
  type Admission,
  admit,
  enough,
  isLow,
  type Limits,
  limitsOf,
  lowPercent,
  periodOf,
  quietUntil,
  resetAt,
  severityOf,
  thresholdsCrossed,
  wantedQuotas,
} from '../domain/quota.ts'
import { eventStep } from './event.ts'
import { iso } from './time.ts'

export type OfApp = Pick<AppOfKey, 'team_id' | 'id' | 'name'>

/** Where an app stands with one quota. */
export interface QuotaState {
  limit: number | null
  /** Of the quota; undefined before the first of the month. */
  row: { used: number; alerted: number } | undefined
  topUp: { balance: number; last_amount: number; low_told: number }
}

/** What an app may still use in this month, as it was read. */
export interface Budget {
  app: OfApp
  period: string
  resetAt: number
  quotas: Record<QuotaName, QuotaState>
}

export async function readBudget(db: Db, app: OfApp, now: number): Promise<Budget> {
  const { team_id, id: app_id } = app
  const period = periodOf(now)
  const [team, own, rows, topUps] = await Promise.all([
    db.one(teamById, { id: team_id }),
    db.all(quotasOfTeam, { team_id }),
    db.all(usageOfApp, { team_id, app_id, period }),
    db.all(topUpsOfApp, { team_id, app_id }),
  ])
  const agreed = Object.fromEntries(own.map(({ quota, quota_limit }) => [quota, quota_limit])) as Partial<Limits>
  const limits = limitsOf(team?.plan ?? 'free', agreed)
  const state = (quota: QuotaName): QuotaState => ({
    limit: limits[quota],
    row: rows.find(row => row.quota === quota),
    topUp: topUps.find(row => row.quota === quota) ?? { balance: 0, last_amount: 0, low_told: 0 },
  })
  const quotas = Object.fromEntries(quotaNames.map(quota => [quota, state(quota)])) as Budget['quotas']
  return { app, period, resetAt: resetAt(now), quotas }
}

export type Wanted = Partial<Record<QuotaName, number>>
export type Admitted = Partial<Record<QuotaName, Admission>>

/** Times a reservation is decided anew because others reserved in between. */
const attempts = 50

/**
 * Reserves what fits of what is wanted, exactly, whoever else reserves at the same moment, and tells of thresholds. What
 * is counted belongs into the same commit.
 * @param alongside the rows that are counted, from what was admitted
 * @returns what was admitted, and the budget it was decided by
 */
export async function reserve(
  context: Pick<Context, 'db' | 'now' | 'eventCommitted'>,
  app: OfApp,
  wanted: Wanted,
  alongside: (admitted: Admitted) => Step[] = () => [],
): Promise<{ admitted: Admitted; budget: Budget }> {
  for (let attempt = 1; ; attempt++) {
    const now = context.now()
    const budget = await readBudget(context.db, app, now)
    const { admitted, steps, events } = reservation(budget, wanted, now)
    if (steps.length === 0) return { admitted, budget }
    try {
      await context.db.commit([...steps, ...events, ...alongside(admitted)])
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
      const { team_id, id } = app
      if ((await context.db.one(appById, { team_id, id })) === undefined) {
        throw new ApiError('unauthorized', 'Unauthorized')
      }
      if (attempt === attempts) throw new ApiError('unavailable', 'Too many at once', { retryAfter: 1 })
      if (attempt > 3) await sleep(Math.random() * 5 * attempt)
      continue
    }
    if (events.length > 0) context.eventCommitted()
    return { admitted, budget }
  }
}

/** What fits of what is wanted, and the steps that hold only as long as the same would fit. */
export function reservation(budget: Budget, wanted: Wanted, now: number) {
  const admitted: Admitted = {}
  const steps: Step[] = []
  const events: Step[] = []
  for (const quota of wantedQuotas(wanted)) {
    const { limit, row, topUp } = budget.quotas[quota]
    const admission = admit(row?.used ?? 0, limit, topUp.balance, wanted[quota] as number)
    admitted[quota] = admission
    if (admission.accepted === 0) continue
    const told = [...usageSteps(budget, quota, admission, steps), ...topUpSteps(budget, quota, admission, steps)]
    for (const data of told) {
      events.push(eventStep(budget.app.team_id, { event: 'usage.threshold', timestamp: iso(now), data }, now))
    }
  }
  return { admitted, steps, events }
}

/**
 * The steps that count what was taken in already, with the thresholds that it crosses. They hold only as long as the budget
 * is what was read.
 */
export function countedSteps(
  budget: Budget,
  taken: Partial<Record<QuotaName, { inPlan: number; fromTopUp: number }>>,
  now: number,
) {
  const steps: Step[] = []
  const events: Step[] = []
  for (const quota of quotaNames) {
    const { inPlan, fromTopUp } = taken[quota] ?? { inPlan: 0, fromTopUp: 0 }
    if (inPlan + fromTopUp === 0) continue
    const admission = { accepted: inPlan + fromTopUp, fromTopUp, rejected: 0 }
    const told = [
      ...usageSteps(budget, quota, admission, steps, true),
      ...topUpSteps(budget, quota, admission, steps, true),
    ]
    for (const data of told) {
      events.push(eventStep(budget.app.team_id, { event: 'usage.threshold', timestamp: iso(now), data }, now))
    }
  }
  return { steps, events }
}

type Told = UsageThreshold['data']

/** @param exactly whatever has changed since is in the way: it was decided elsewhere, and cannot be decided anew */
function usageSteps(budget: Budget, quota: QuotaName, admission: Admission, steps: Step[], exactly = false): Told[] {
  const { app, period } = budget
  const { limit, row } = budget.quotas[quota]
  const { used, alerted } = row ?? { used: 0, alerted: 0 }
  const amount = admission.accepted - admission.fromTopUp
  const crossed = thresholdsCrossed(used + amount, limit, alerted)
  const key = { team_id: app.team_id, app_id: app.id, period, quota }
  if (row === undefined) steps.push({ query: startUsage, params: key })
  // Where all of it fits and nothing is to be told, others may use some meanwhile: as long as both stay so, the decision
  // is the same. So a crowd gets through at once, and only what fills a quota, or crosses a threshold, is exact.
  const free = !exactly && crossed.length === 0 && admission.fromTopUp === 0 && admission.rejected === 0
  const most = Math.min(quietUntil(limit, alerted), limit ?? Number.MAX_SAFE_INTEGER)
  const params = {
    ...key,
    amount,
    from_top_up: admission.fromTopUp,
    alerted: crossed.at(-1) ?? alerted,
    alerted_before: alerted,
    used_from: free ? 0 : used,
    used_to: free ? most - amount : used,
  }
  steps.push({ query: addUsage, params, expect: 1 })
  const balance = budget.quotas[quota].topUp.balance - admission.fromTopUp
  return crossed.map(threshold => ({
    ...told(budget, quota, used + amount, balance),
    reason: 'quota_used' as const,
    severity: severityOf[threshold],
    threshold,
  }))
}

function topUpSteps(budget: Budget, quota: QuotaName, admission: Admission, steps: Step[], exactly = false): Told[] {
  const { fromTopUp: amount, accepted, rejected } = admission
  if (amount === 0) return []
  const { row, topUp } = budget.quotas[quota]
  const { balance, last_amount, low_told } = topUp
  const low = low_told === 0 && isLow(balance - amount, last_amount)
  const free = !exactly && !low && rejected === 0
  const params = {
    team_id: budget.app.team_id,
    app_id: budget.app.id,
    quota,
    amount,
    low_told: low ? 1 : low_told,
    low_told_before: low_told,
    last_amount,
    balance_from: free ? amount + (low_told === 0 ? enough(last_amount) : 0) : balance,
    balance_to: free ? Number.MAX_SAFE_INTEGER : balance,
  }
  steps.push({ query: drawTopUp, params, expect: 1 })
  if (!low) return []
  const used = (row?.used ?? 0) + accepted - amount
  const data = told(budget, quota, used, balance - amount)
  return [{ ...data, reason: 'low_balance', severity: 'warning', threshold: lowPercent }]
}

function told({ app, period, resetAt, quotas }: Budget, quota: QuotaName, used: number, balance: number) {
  return {
    app_id: app.id,
    app_name: app.name,
    quota_type: quota,
    period,
    limit: quotas[quota].limit ?? 0,
    used,
    top_up_balance: balance,
    reset_at: iso(resetAt),
  }
}
