import { isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { summarize, trustFailure } from './certificate.ts'
import type { Check, CheckType } from './check-type.ts'
import { excerpt, redact } from './excerpt.ts'
import { Failure } from './failure.ts'
import { readsBody } from './http-assertions.ts'
import type { Body } from './http-body.ts'
import { type Encryption, exchange, type Reply } from './http-exchange.ts'
import type { Head } from './http-head.ts'
import { judgeInTime } from './http-judge.ts'
import { HttpOptions, judgeHttpOptions } from './http-options.ts'
import { type Plan, planOf, type Step, stepTo } from './http-plan.ts'
import { nextHop, shown } from './http-redirect.ts'
import { completeRequest } from './http-request.ts'
import { type Look, look } from './look.ts'
import { at, resolve } from './resolve.ts'
import { parseUrl } from './target.ts'
import { demands, sentChain } from './tls.ts'

/** Asks an http:// or https:// URL and judges the answer. */
export const http: CheckType = {
  options: HttpOptions,
  judgeOptions: judgeHttpOptions,
  parseTarget: target => void parseUrl(target, ['http', 'https']),
  run: (check, signal, policy) => look(check, signal, policy, seen => ask(check, seen)),
}

/** The same for targets that must be encrypted: an http:// URL is refused. */
export const https: CheckType = { ...http, parseTarget: target => void parseUrl(target, ['https']) }

/** Bytes of a body that are kept when nobody reads it, to show what a failing target said. */
const shownBytes = 8 * 1024
const textBytes = 1024 * 1024
/** Half of a JSON text is none: all of it is kept. */
const jsonBytes = 10 * 1024 * 1024

async function ask(check: Check, seen: Look): Promise<void> {
  const plan = planOf(check)
  const visited: string[] = []
  let step = plan.first
  while (true) {
    seen.details.url = step.shown
    const reply = await send(check, seen, plan, step)
    if (reply.body) return judge(seen, plan, reply.head, reply.body)
    step = follow(seen, plan, step, reply.head, visited)
  }
}

/** Sends one request over a fresh connection. */
async function send(check: Check, seen: Look, plan: Plan, step: Step): Promise<Reply> {
  const { host, port, isTls } = step
  const { options, secrets } = plan
  const ip = await resolve(seen, host, options.ip_family)
  return exchange(seen, {
    ip,
    port,
    where: at(ip, port),
    tls: isTls ? encryption(check, seen, options, host) : null,
    request: completeRequest(step.request, step.body, check.traceparent),
    keep: head => {
      noteHead(seen, head)
      if (leadsOn(head, options)) return null
      return bytesWanted(options)
    },
    secrets,
  })
}

function encryption(check: Check, seen: Look, options: HttpOptions, host: string): Encryption {
  const judge = (tls: TLSSocket) => {
    const secured = { tls, chain: sentChain(tls) }
    seen.details.tls = summarize(secured)
    return check.ssl_verify ? trustFailure(secured, host) : null
  }
  return { ...demands(check.ssl_verify, options.min_tls_version), servername: isIP(host) === 0 ? host : '', judge }
}

function noteHead({ details }: Look, { status, version, headers }: Head): void {
  details.status_code = status
  details.http_version = version
  details.content_type = headers.get('content-type') ?? null
}

const leadsOn = ({ status, headers }: Head, options: HttpOptions) =>
  (options.follow_redirects ?? true) && [301, 302, 303, 307, 308].includes(status) && headers.has('location')

/** The step that a redirect leads to. */
function follow(seen: Look, plan: Plan, step: Step, { status, headers }: Head, visited: string[]): Step {
  const { options, authorization } = plan
  visited.push(`${step.method} ${step.url.href}`)
  const next = nextHop(step, status, headers.get('location') ?? '', options.allow_downgrade ?? false)
  if (visited.includes(`${next.method} ${next.url.href}`)) {
    throw new Failure('http_redirect_loop', `Redirects lead back to ${shown(next.url)}.`)
  }
  if (visited.length > (options.max_redirects ?? 5)) {
    throw new Failure('http_too_many_redirects', `More than ${options.max_redirects ?? 5} redirects.`)
  }
  seen.details.redirects = visited.length
  return stepTo(next, options, authorization)
}

function bytesWanted(options: HttpOptions): number {
  if (options.json) return jsonBytes
  return readsBody(options) ? textBytes : shownBytes
}

async function judge(seen: Look, { options, secrets }: Plan, { status }: Head, body: Body): Promise<void> {
  if (body.isCompressed) await body.decode()
  const { bytes } = body
  seen.details.body_bytes = bytes
  const text = readsBody(options) ? body.text(options.json ? jsonBytes : textBytes) : ''
  const answer = { status, bytes, text, milliseconds: seen.watch.responseTime ?? 0 }
  const flaw = await judgeInTime(answer, options, seen.signal)
  if (!flaw) return
  const hidden = secrets()
  seen.details.excerpt = excerpt(text || body.text(), hidden)
  // An assertion shows what it found, which may be a secret that the target echoes.
  throw new Failure(flaw.kind, redact(flaw.message, hidden))
}
