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
 * Where a redirect leads to.
 * @throws {Failure} http_invalid, http_downgrade
 */
export function nextHop(
  { url: from, method, body, isForeign: was }: Hop,
  status: number,
  location: string,
  allowDowngrade: boolean,
): Hop {
  const url = URL.parse(inWords(location), from.href)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Failure('http_invalid', `${shown(from)} redirects to something that is no web address.`)
  }
  if (from.protocol === 'https:' && url.protocol === 'http:' && !allowDowngrade) {
    throw new Failure('http_downgrade', `${shown(from)} redirects from https to ${shown(url)}.`)
  }
  url.hash ||= from.hash
  const isForeign = was || url.origin !== from.origin
  // As browsers do: 303 always asks with GET, 301 and 302 after POST.
  const becomesGet = status === 303 || (status <= 302 && method === 'POST')
  return becomesGet || body === undefined
    ? { url, method: becomesGet ? 'GET' : method, isForeign }
    : { url, method, body, isForeign }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Heads are read byte by byte; a path with accents comes as UTF-8, as browsers read it, or as Latin-1 from old servers. */
function inWords(location: string): string {
  try {
    return utf8.decode(Buffer.from(location, 'latin1'))
  } catch {
    return location
  }
}

/** An address as it may be shown: without credentials, and without a query, where tokens hide. */
export const shown = (url: URL) => `${url.origin}${url.pathname}${url.search ? '?…' : ''}`
