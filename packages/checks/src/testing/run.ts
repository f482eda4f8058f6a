import type { Outcome } from '@watchpost/contract'
import { type Check, type RunOptions, runCheck } from '../index.ts'

/** Settings for a check that can only end by its deadline. */
export const soon = { timeout: 0.4 }

/** Runs a check with a timeout of ten seconds and otherwise the defaults of a monitor. */
export function run(
  type: Check['type'],
  target: string,
  options: Record<string, unknown> = {},
  more: Partial<Check> & RunOptions = {},
): Promise<Outcome> {
  const { signal, policy, ...rest } = more
  const check: Check = { type, target, method: 'get', timeout: 10, ssl_verify: true, options, ...rest }
  return runCheck(check, { ...(signal && { signal }), ...(policy && { policy }) })
}
