import type { QuotaName } from '@watchpost/contract'
import type { Signal } from '../ingest/otlp.ts'

/** The quota each signal is counted in; metrics are in none (specification 8.3). */
export const quotaOf: Record<Signal, QuotaName | undefined> = {
  traces: 'otlp_spans',
  logs: 'logs_bytes',
  metrics: undefined,
}

/** What is wanted of a quota: so many items, which weigh so much together. */
export interface Wanted {
  items: number
  /** As many as items, or the bytes of the request that carried them (ruling 31). */
  weight: number
}

/** What the first `items` of them weigh: shares that add up to the whole. */
function weightOf({ items, weight }: Wanted, first: number): number {
  // The product may be beyond what a number holds exactly.
  return items === weight ? first : Number((BigInt(first) * BigInt(weight)) / BigInt(items))
}

/**
 * How many items fit, and what they weigh (ruling 29).
 * @param room left in quota and top-up together; null for any amount
 */
export function allot(wanted: Wanted, room: number | null): { kept: number; amount: number } {
  const { items, weight } = wanted
  if (items === 0) return { kept: 0, amount: 0 }
  if (room === null || weight <= room) return { kept: items, amount: weight }
  let kept = Math.min(items, Math.floor((room / weight) * items) + 1)
  while (kept > 0 && weightOf(wanted, kept) > room) kept--
  return { kept, amount: weightOf(wanted, kept) }
}
