import type { CheckTypeName, Outcome } from '@watchpost/contract'
import type { Check, CheckType } from './check-type.ts'
import { checkTypes } from './check-types.ts'
import { type RunOptions, runWithin } from './run-check.ts'

export { type Check, type CheckType, TargetError } from './check-type.ts'
export { checkTypes } from './check-types.ts'
export { type AddressPolicy, isRefused } from './guard.ts'
export { pinger } from './ping.ts'
export type { RunOptions } from './run-check.ts'

/**
 * Looks at a target once, from here, now. Takes `check.timeout` seconds at most, whatever the target does, and half a
 * second more if a check type should overlook its deadline. Never throws: a mistake of ours is `probe_internal`.
 */
export function runCheck(check: Check, options?: RunOptions): Promise<Outcome> {
  return runWithin(checkTypes[check.type], check, options)
}

/** How many checks of a type may run at once on a probe that runs `general` of the other types. */
export function concurrencyOf(type: CheckTypeName, general: number): number {
  const checkType: CheckType = checkTypes[type]
  return Math.max(1, checkType.concurrency?.(general) ?? general)
}
