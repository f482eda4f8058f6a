import manifest from '../package.json' with { type: 'json' }
import { Failure } from './failure.ts'
import type { HttpOptions } from './http-options.ts'
import type { Hop } from './http-redirect.ts'

const userAgent = `Watchpost/${manifest.version}`
const harmless = new Set(['accept', 'accept-language', 'user-agent'])

/**
 * One request as it goes over the wire, but for what differs from run to run. Headers of the monitor go to its own origin
 * only; others get the harmless ones.
 */
export function requestHead(hop: Hop, options: HttpOptions, authorization: string | undefined): string {
  const headers = new Map([
    ['host', ['Host', hop.url.host]],
    ['user-agent', ['User-Agent', userAgent]],
    ['accept', ['Accept', '*/*']],
    ['accept-encoding', ['Accept-Encoding', 'gzip, deflate, br']],
    ['connection', ['Connection', 'close']],
  ])
  if (hop.body !== undefined) {
    const type = isJson(hop.body) ? 'application/json' : 'text/plain; charset=utf-8'
    headers.set('content-type', ['Content-Type', type])
  }
  // A method that announces a body says how long it is, also when there is none (RFC 9110, 8.6).
  if (hop.body !== undefined || /^P/.test(hop.method)) {
    headers.set('content-length', ['Content-Length', String(Buffer.byteLength(hop.body ?? ''))])
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    const lower = name.toLowerCase()
    const describesBody = lower === 'content-type' && hop.body !== undefined
    if (isForOrigin(hop, lower) || describesBody) headers.set(lower, [name, value])
  }
  if (authorization !== undefined && !hop.isForeign) headers.set('authorization', ['Authorization', authorization])
  const lines = [...headers.values()].map(([name, value]) => `${name}: ${value}`)
  const head = [`${hop.method} ${hop.url.pathname}${hop.url.search} HTTP/1.1`, ...lines]
  // Judged when the monitor was made; were it not, one header could become two.
  if (head.some(line => /[\0\r\n]/.test(line)))
    throw new Failure('probe_internal', 'A header of the check has two lines.')
  return `${head.join('\r\n')}\r\n`
}

/** Completes a request: `traceparent` unless the monitor sets its own, and the body. */
export function completeRequest(
  head: string,
  body: string | undefined,
  traceparent: string | undefined,
): string | Buffer {
  const hasOwn = traceparent === undefined || /^traceparent:/im.test(head)
  const whole = hasOwn ? `${head}\r\n` : `${head}traceparent: ${traceparent}\r\n\r\n`
  return body === undefined ? whole : Buffer.concat([Buffer.from(whole, 'latin1'), Buffer.from(body)])
}

const isForOrigin = (hop: Hop, name: string) => !hop.isForeign || harmless.has(name)

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
    ...[...url.searchParams.values(), ...url.search.split(/[?&=]/)].filter(it => it.length >= 8),
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
