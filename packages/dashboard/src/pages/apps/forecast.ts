import type { Quota } from '@watchpost/contract'

/** What a month comes to if it goes on as it has: used so far, by the share of the month that has passed. */
export function forecast(quota: Pick<Quota, 'used'>, period: string, now: number): number {
  const begin = Date.parse(`${period}-01T00:00:00Z`)
  const date = new Date(begin)
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  // An hour into the month says nothing of the month.
  const passed = Math.max(3_600_000, Math.min(now, end) - begin)
  return Math.round((quota.used * (end - begin)) / passed)
}
