import manifest from '../package.json' with { type: 'json' }
import type { HttpOptions } from './http-options.ts'
import type { Hop } from './http-redirect.ts'

const userAgent = `Watchpost/${manifest.version}`
const harmless = new Set(['accept', 'accept-language', 'user-agent'])

/** Headers of one request. Those of the monitor go to its own origin only; others get the harmless ones. */
export function requestHeaders(
  hop: Hop,
  options: HttpOptions,
  authorization: string | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {
    host: hop.url.host,
    'user-agent': userAgent,
    accept: '*/*',
    'accept-encoding': 'gzip, deflate, br',
    connection: 'close',
  }
  if (hop.body !== undefined) {
    headers['content-type'] = isJson(hop.body) ? 'application/json' : 'text/plain; charset=utf-8'
    headers['content-length'] = String(Buffer.byteLength(hop.body))
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    const lower = name.toLowerCase()
    const describesBody = lower === 'content-type' && hop.body !== undefined
    if (!hop.isForeign || harmless.has(lower) || describesBody) headers[lower] = value
  }
  if (authorization !== undefined && !hop.isForeign) headers.authorization = authorization
  return headers
}

/** The Authorization header of the monitor: its `auth` option, else what its URL carries. */
export function authorizationOf(url: URL, auth: HttpOptions['auth']): string | undefined {
  if (auth?.type === 'bearer') return `Bearer ${auth.token}`
  if (auth?.type === 'basic') return basic(auth.username, auth.password)
  if (url.username === '' && url.password === '') return undefined
  return basic(decode(url.username), decode(url.password))
}

/** Everything secret that the check may send, to be kept out of what is shown. */
export function secretsOf(url: URL, options: HttpOptions, authorization: string | undefined): string[] {
  const { auth } = options
  const secrets = [
    ...Object.entries(options.headers ?? {}).flatMap(([name, value]) => (isHarmless(name) ? [] : [value])),
    url.password,
    decode(url.password),
    auth?.type === 'basic' ? auth.password : '',
    authorization ?? '',
    authorization?.replace(/^\w+ /, '') ?? '',
    // Tokens in a query are long; short words would be taken out everywhere.
    ...[...url.searchParams.values()].filter(it => it.length >= 8),
  ]
  // The longest first: a short one may be part of a long one.
  return [...new Set(secrets)].filter(it => it.length >= 3).sort((a, b) => b.length - a.length)
}

const isHarmless = (name: string) => harmless.has(name.toLowerCase()) || name.toLowerCase() === 'content-type'

const basic = (name: string, password: string) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
