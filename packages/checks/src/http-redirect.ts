import { Failure } from './failure.ts'

/** One request of a check that may be redirected. */
export interface Hop {
  url: URL
  method: string
  body?: string
  /** Another origin than the monitor's has been visited: no secrets from here on. */
  isForeign: boolean
}

/**
 * Where a redirect leads to; null when the answer is none.
 * @throws {Failure} http_invalid, http_downgrade
 */
export function nextHop(hop: Hop, status: number, location: string | undefined, allowDowngrade: boolean): Hop | null {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return null
  const url = URL.parse(location, hop.url.href)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Failure('http_invalid', `${shown(hop.url)} redirects to something that is no web address.`)
  }
  if (hop.url.protocol === 'https:' && url.protocol === 'http:' && !allowDowngrade) {
    throw new Failure('http_downgrade', `${shown(hop.url)} redirects from https to ${shown(url)}.`)
  }
  url.hash ||= hop.url.hash
  const isForeign = hop.isForeign || url.origin !== hop.url.origin
  // As browsers do: 303 always asks with GET, 301 and 302 after POST.
  const becomesGet = status === 303 || (status <= 302 && hop.method === 'POST')
  return becomesGet ? { url, method: 'GET', isForeign } : { ...hop, url, isForeign }
}

/** An address as it may be shown: without credentials, and without a query, where tokens hide. */
export const shown = (url: URL) => `${url.origin}${url.pathname}${url.search ? '?…' : ''}`
