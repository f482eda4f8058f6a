import type { Check } from './check-type.ts'
import type { HttpOptions } from './http-options.ts'
import { type Hop, shown } from './http-redirect.ts'
import { authorizationOf, requestHead, secretsOf } from './http-request.ts'
import { parseUrl } from './target.ts'

/** Where one request of a check goes to, and what it says: all that does not change from run to run. */
export interface Step extends Hop {
  host: string
  port: number
  isTls: boolean
  /** The address as it may be shown. */
  shown: string
  request: string
}

/** What a check does, read from its settings once. */
export interface Plan {
  options: HttpOptions
  authorization: string | undefined
  first: Step
  secrets: () => string[]
}

// For as long as somebody holds the settings: a probe reads those of a monitor once, and runs them many times.
const known = new WeakMap<object, { check: Check; plan: Plan }>()

/** @throws {TargetError} when the target is no web address */
export function planOf(check: Check): Plan {
  const before = known.get(check.options)
  const fits = before?.check.target === check.target && before.check.method === check.method
  if (before && fits && before.check.type === check.type) return before.plan
  const options = check.options as HttpOptions
  const url = parseUrl(check.target, check.type === 'https' ? ['https'] : ['http', 'https'])
  const authorization = authorizationOf(url, options.auth)
  const hop: Hop = { url, method: check.method.toUpperCase(), isForeign: false }
  if (options.body !== undefined) hop.body = options.body
  const plan: Plan = {
    options,
    authorization,
    first: stepTo(hop, options, authorization),
    secrets: () => secretsOf(url, options, authorization),
  }
  known.set(check.options, { check, plan })
  return plan
}

/** What is said to the place a hop leads to. */
export function stepTo(hop: Hop, options: HttpOptions, authorization: string | undefined): Step {
  const { url } = hop
  const isTls = url.protocol === 'https:'
  return {
    ...hop,
    host: url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''),
    port: Number(url.port || (isTls ? 443 : 80)),
    isTls,
    shown: shown(url),
    request: requestHead(hop, options, authorization),
  }
}
