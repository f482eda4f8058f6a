import { type Plan, plans } from '@watchpost/contract'

/** What a plan limits the number of. */
export type Limited = 'status_pages' | 'servers'

/** Most of each; null is any number (ruling 22). */
const limits: Record<Plan, Record<Limited, number | null>> = {
  free: { status_pages: 1, servers: 1 },
  pro: { status_pages: 5, servers: 5 },
  business: { status_pages: 25, servers: 25 },
  enterprise: { status_pages: null, servers: null },
}

const nouns: Record<Limited, [one: string, many: string]> = {
  status_pages: ['status page', 'status pages'],
  servers: ['probe', 'probes'],
}

/** How many of these a team with this plan may have; null for any number. A plan nobody knows limits nothing. */
export function planLimit(plan: string, of: Limited): number | null {
  return limits[plan as Plan]?.[of] ?? null
}

/** Why there may not be one more, naming the plan above. */
export function overPlan(plan: string, of: Limited): string {
  const next = plans[plans.indexOf(plan as Plan) + 1] ?? 'enterprise'
  return `Your plan, ${plan}, includes ${count(planLimit(plan, of), of)}; ${next} includes ${count(planLimit(next, of), of)}`
}

function count(limit: number | null, of: Limited): string {
  const [one, many] = nouns[of]
  return limit === null ? `any number of ${many}` : `${limit} ${limit === 1 ? one : many}`
}
