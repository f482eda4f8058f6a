import { type QuotaName, quotaNames } from '@watchpost/contract'

/** A limit for each quota; null is none. */
export type Limits = Record<QuotaName, number | null>

const none: Limits = { rum_sessions: null, rum_events: null, replay_bytes: null, otlp_spans: null, logs_bytes: null }
const plan = (sessions: number, events: number, spans: number, logs: number): Limits => ({
  ...none,
  rum_sessions: sessions,
  rum_events: events,
  otlp_spans: spans,
  logs_bytes: logs,
})

/** Specification 8.3; 100 MB are 10^8 bytes (ruling 31). */
const limitsOfPlan: Record<string, Limits> = {
  free: plan(1000, 10_000, 10_000, 100_000_000),
  pro: plan(10_000, 100_000, 100_000, 1_000_000_000),
  business: plan(50_000, 500_000, 500_000, 10_000_000_000),
}

/**
 * What each app of a team may use in a month.
 * @param own what was agreed with the team, instead of what its plan says
 */
export function limitsOf(plan: string, own: Partial<Limits> = {}): Limits {
  return { ...none, ...limitsOfPlan[plan], ...own }
}

/** The calendar month of a time, UTC: `2026-11`. */
export function periodOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7)
}

/** When the month of a time ends, and its quotas begin anew. */
export function resetAt(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

export interface Admission {
  /** What is taken in, with what the top-up pays for. */
  accepted: number
  fromTopUp: number
  rejected: number
}

/**
 * How much of what is wanted fits: first into the quota, then into the top-up balance (specification 8.3).
 * @param used of the quota, without what top-ups paid for
 */
export function admit(used: number, limit: number | null, balance: number, wanted: number): Admission {
  if (limit === null) return { accepted: wanted, fromTopUp: 0, rejected: 0 }
  const fits = Math.min(wanted, Math.max(0, limit - used))
  const fromTopUp = Math.min(wanted - fits, balance)
  return { accepted: fits + fromTopUp, fromTopUp, rejected: wanted - fits - fromTopUp }
}

/** Percent of a quota at which people are told (specification 6). */
export const thresholds = [50, 80, 100] as const
export type Threshold = (typeof thresholds)[number]

/** Uses from which a threshold is reached. */
const reachedAt = (threshold: Threshold, limit: number): number => Math.ceil((limit * threshold) / 100)

/**
 * Thresholds that are to be told of now; each once (ruling 27), whatever became of the limit meanwhile.
 * @param told the highest that was told of in this month, 0 for none
 */
export function thresholdsCrossed(used: number, limit: number | null, told: number): Threshold[] {
  // Of nothing there is no half.
  if (limit === null || limit === 0) return []
  return thresholds.filter(threshold => threshold > told && used >= reachedAt(threshold, limit))
}

/** The most that can be used without another threshold to tell of. */
export function quietUntil(limit: number | null, told: number): number {
  const next = thresholds.find(threshold => threshold > told)
  if (limit === null || limit === 0 || next === undefined) return Number.MAX_SAFE_INTEGER
  return reachedAt(next, limit) - 1
}

export const severityOf = { 50: 'info', 80: 'warning', 100: 'critical' } as const

/** Percent of the last top-up at which its balance is low (ruling 27). */
export const lowPercent = 10

export function isLow(balance: number, lastAmount: number): boolean {
  return balance <= Math.floor((lastAmount * lowPercent) / 100)
}

/** The smallest balance that is not low. */
export const enough = (lastAmount: number): number => Math.floor((lastAmount * lowPercent) / 100) + 1

/**
 * The day (UTC) on which a quota will be used up if the month goes on as it went; null if it will not be within the month.
 * @param now epoch ms
 */
export function reachedOn(used: number, limit: number | null, now: number): string | null {
  if (limit === null || (used === 0 && limit > 0)) return null
  const date = new Date(now)
  const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
  const at = used >= limit ? now : from + ((now - from) / used) * limit
  return at < resetAt(now) ? new Date(at).toISOString().slice(0, 10) : null
}

/** The quotas that something is wanted of, always in the same order: two that count at once must not block each other. */
export function wantedQuotas(wanted: Partial<Record<QuotaName, number>>): QuotaName[] {
  return quotaNames.filter(quota => (wanted[quota] ?? 0) > 0)
}
