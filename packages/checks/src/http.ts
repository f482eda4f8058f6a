import type { Socket } from 'node:net'
import { summarize, trustFailure } from './certificate.ts'
import type { Check, CheckType } from './check-type.ts'
import { connect } from './connect.ts'
import { excerpt, redact } from './excerpt.ts'
import { Failure } from './failure.ts'
import { judgeAnswer } from './http-assertions.ts'
import { exchange, type Reply } from './http-exchange.ts'
import { HttpOptions, judgeHttpOptions } from './http-options.ts'
import { type Hop, nextHop, shown } from './http-redirect.ts'
import { authorizationOf, requestHeaders, secretsOf } from './http-request.ts'
import { type Look, look } from './look.ts'
import { at, resolve } from './resolve.ts'
import { parseUrl } from './target.ts'
import { demands, secure } from './tls.ts'

/** Asks an http:// or https:// URL and judges the answer. */
export const http: CheckType = {
  options: HttpOptions,
  judgeOptions: judgeHttpOptions,
  parseTarget: target => void parseUrl(target, ['http', 'https']),
  run: (check, signal, policy) => look(check, signal, policy, seen => ask(check, seen)),
}

/** The same for targets that must be encrypted: an http:// URL is refused. */
export const https: CheckType = { ...http, parseTarget: target => void parseUrl(target, ['https']) }

async function ask(check: Check, seen: Look): Promise<void> {
  const options = check.options as HttpOptions
  const url = parseUrl(check.target, check.type === 'https' ? ['https'] : ['http', 'https'])
  const authorization = authorizationOf(url, options.auth)
  let hop: Hop = { url, method: check.method.toUpperCase(), isForeign: false }
  if (options.body !== undefined) hop.body = options.body

  const visited = new Set<string>()
  const sockets: Socket[] = []
  try {
    while (true) {
      visited.add(`${hop.method} ${hop.url.href}`)
      seen.details.url = shown(hop.url)
      const reply = await send(check, seen, hop, authorization, sockets)
      const { response } = reply
      const status = response.statusCode ?? 0
      seen.watch.answered()
      Object.assign(seen.details, {
        status_code: status,
        http_version: response.httpVersion,
        content_type: response.headers['content-type'] ?? null,
      })

      const follows = options.follow_redirects ?? true
      const next = follows ? nextHop(hop, status, response.headers.location, options.allow_downgrade ?? false) : null
      if (!next) return await judge(seen, reply, options, secretsOf(url, options, authorization))
      if (visited.has(`${next.method} ${next.url.href}`)) {
        throw new Failure('http_redirect_loop', `Redirects lead back to ${shown(next.url)}.`)
      }
      if (visited.size > (options.max_redirects ?? 5)) {
        throw new Failure('http_too_many_redirects', `More than ${options.max_redirects ?? 5} redirects.`)
      }
      sockets.pop()?.destroy()
      seen.details.redirects = visited.size
      hop = next
    }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** Sends one request over a fresh connection, which is added to `sockets` for the caller to destroy. */
async function send(
  check: Check,
  seen: Look,
  hop: Hop,
  authorization: string | undefined,
  sockets: Socket[],
): Promise<Reply> {
  const options = check.options as HttpOptions
  const isTls = hop.url.protocol === 'https:'
  const host = hop.url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const port = Number(hop.url.port || (isTls ? 443 : 80))
  const ip = await resolve(seen, host, options.ip_family)
  const where = at(ip, port)
  let socket = await connect(seen, ip, port)
  sockets.push(socket)
  if (isTls) {
    const demanded = demands(check.ssl_verify, options.min_tls_version)
    const secured = await secure(seen, socket, { servername: host, where, ...demanded, alpn: ['http/1.1'] })
    socket = secured.tls
    seen.details.tls = summarize(secured)
    const distrust = check.ssl_verify ? trustFailure(secured, host) : null
    if (distrust) throw distrust
  }
  const headers = requestHeaders(hop, options, authorization)
  const path = `${hop.url.pathname}${hop.url.search}`
  return exchange(seen, socket, { method: hop.method, path, headers, where, body: hop.body })
}

async function judge(seen: Look, reply: Reply, options: HttpOptions, secrets: string[]): Promise<void> {
  const { bytes, text } = await reply.read()
  seen.watch.answered()
  seen.details.body_bytes = bytes
  const status = reply.response.statusCode ?? 0
  const failure = judgeAnswer({ status, bytes, text, milliseconds: seen.watch.responseTime ?? 0 }, options)
  if (!failure) return
  seen.details.excerpt = excerpt(text, secrets)
  // An assertion shows what it found, which may be a secret that the target echoes.
  throw new Failure(failure.kind, redact(failure.message, secrets))
}
