import type { FieldErrors } from '@watchpost/contract'

const isWeb = (type: unknown) => type === 'http' || type === 'https'

/**
 * A password in an address is shown wherever the address is: in lists, to viewers, in the logs of pipelines.
 * @param before the target that is there: what stays as it is goes on working
 */
export function credentialErrors(type: unknown, target: string, before?: string): FieldErrors {
  if (!isWeb(type) || target === before) return {}
  const url = URL.parse(target)
  if (url === null || (url.username === '' && url.password === '')) return {}
  return { target: 'must not hold a user or password, which everybody would see; put them in options.auth' }
}

/** The target as those see it who may not see credentials. */
export const openTarget = (type: unknown, target: string) =>
  isWeb(type) ? target.replace(/^([a-z]+:\/\/)[^/?#\\]*@/i, '$1***@') : target
