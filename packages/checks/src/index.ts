import type { CheckTypeName, Outcome } from '@watchpost/contract'
import type { TObject } from 'typebox'
import type { Check, CheckType } from './check-type.ts'
import { dns } from './dns.ts'
import { http, https } from './http.ts'
import { ping } from './ping.ts'
import { type RunOptions, runWithin } from './run-check.ts'
import { ssl } from './ssl.ts'
import { tcp } from './tcp.ts'
import { mergedOptions, validator } from './validate.ts'

export { type Check, type CheckType, TargetError } from './check-type.ts'
export { type AddressPolicy, isRefused } from './guard.ts'
export { pinger } from './ping.ts'
export type { RunOptions } from './run-check.ts'

/** The list: a word added to `checkTypes` in the contract does not compile until it has its line here. */
export const checkTypes = { http, https, ping, tcp, ssl, dns } satisfies Record<CheckTypeName, CheckType>

const validators = new Map<CheckTypeName, ReturnType<typeof validator>>()

/**
 * Judges what a person wrote for a monitor (rulings 6 and 7): field → message, empty when all is fine. Fields are
 * `type`, `target`, `options` and `options.<name>`; a message names the mend ("must be between 1 and 100").
 */
export function validateCheck(check: { type: string; target: unknown; options?: unknown }): Record<string, string> {
  if (!isCheckType(check.type)) return { type: `must be one of ${Object.keys(checkTypes).join(', ')}` }
  const validate = validators.get(check.type) ?? validator(checkTypes[check.type])
  validators.set(check.type, validate)
  return validate(check.target, check.options)
}

/** JSON schema of the `options` of a type, with descriptions and defaults: for the OpenAPI document and for forms. */
export function optionsSchema(type: CheckTypeName): TObject {
  return mergedOptions(checkTypes[type])
}

/**
 * Looks at a target once, from here, now. Takes `check.timeout` seconds at most, whatever the target does, and half a
 * second more if a check type should overlook its deadline. Never throws: a mistake of ours is `probe_internal`.
 */
export async function runCheck(check: Check, options?: RunOptions): Promise<Outcome> {
  return runWithin(checkTypes[check.type], check, options)
}

/** How many checks of a type may run at once on a probe that runs `general` of the other types. */
export function concurrencyOf(type: CheckTypeName, general: number): number {
  const checkType: CheckType = checkTypes[type]
  return Math.max(1, checkType.concurrency?.(general) ?? general)
}

const isCheckType = (type: string): type is CheckTypeName => Object.hasOwn(checkTypes, type)
