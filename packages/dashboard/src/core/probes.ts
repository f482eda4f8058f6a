import type { Probe } from '@watchpost/contract'
import { serverNow } from './clock.ts'

/** A probe that is well asks again within half a minute. */
export const pollMs = 30_000

/** Whether a probe has been heard from lately. @param withinMs how lately; two polls, unless it is suspect */
export const isWell = ({ last_seen_at }: Pick<Probe, 'last_seen_at'>, withinMs = 2 * pollMs): boolean =>
  last_seen_at !== null && serverNow() - Date.parse(last_seen_at) <= withinMs
