import type { MonitorItem } from '@watchpost/contract'
import { withoutCredentials } from './address.ts'
import {
  asList,
  asRaw,
  Conversion,
  httpType,
  type Judge,
  literal,
  methodOf,
  type Raw,
  secondsOf,
} from './conversion.ts'

/**
 * Converts the modules of a blackbox_exporter and the targets that Prometheus asks it about.
 * @param scraping the Prometheus file: it names what is looked at, and how often
 */
export function convertBlackbox(config: Raw, scraping: Raw, judge?: Judge): Conversion {
  const conversion = new Conversion(judge)
  const modules = asRaw(config.modules)
  const used = new Set<string>()
  const every = secondsOf(asRaw(scraping.global).scrape_interval, 60)
  for (const job of asList(scraping.scrape_configs)) {
    if (job.metrics_path !== '/probe') continue
    const what = `job "${String(job.job_name)}"`
    for (const kind of Object.keys(job).filter(name => name.endsWith('_sd_configs'))) {
      conversion.note(what, `targets of ${kind} are not in the file; add them yourself`)
    }
    const interval = secondsOf(job.scrape_interval, every)
    const named = (asRaw(job.params).module as unknown[] | undefined)?.[0]
    for (const group of asList(job.static_configs)) {
      const labels = asRaw(group.labels)
      const module = String(labels.__param_module ?? named ?? labels.module ?? 'http_2xx')
      used.add(module)
      for (const target of (group.targets ?? []) as unknown[]) {
        const settings = modules[module]
        const which = `${what}, ${withoutCredentials(String(target)).target}`
        if (settings === undefined) conversion.note(which, `there is no module "${module}"`)
        else convertTarget(conversion, which, String(target), module, asRaw(settings), interval)
      }
    }
  }
  const unused = Object.keys(modules).filter(name => !used.has(name))
  for (const name of unused) conversion.note(`module "${name}"`, 'no target uses it; left out')
  return conversion
}

function convertTarget(
  conversion: Conversion,
  what: string,
  target: string,
  module: string,
  settings: Raw,
  interval: number,
): void {
  const look = lookOf(conversion, what, target, settings)
  if (look === undefined) return
  const open = withoutCredentials(target).target
  conversion.add(what, {
    name: conversion.freeName(open, `${open} ${module}`),
    ...look,
    interval,
    timeout: secondsOf(settings.timeout, 10),
  })
}

type Look = Pick<MonitorItem, 'type' | 'target' | 'method' | 'ssl_verify' | 'options'>

function lookOf(conversion: Conversion, what: string, target: string, settings: Raw): Look | undefined {
  switch (settings.prober) {
    case 'http':
      return httpLook(conversion, what, target, asRaw(settings.http))
    case 'tcp':
      return tcpLook(conversion, what, target, asRaw(settings.tcp))
    case 'icmp': {
      const size = Number(asRaw(settings.icmp).payload_size ?? 56)
      unmapped(conversion, what, asRaw(settings.icmp), [
        'preferred_ip_protocol',
        'ip_protocol_fallback',
        'payload_size',
      ])
      return { type: 'ping', target, options: { count: 1, size: size === 56 ? undefined : Math.max(16, size) } }
    }
    case 'dns':
      return dnsLook(conversion, what, target, asRaw(settings.dns))
    default:
      conversion.note(what, `the prober ${String(settings.prober)} has no counterpart; left out`)
      return undefined
  }
}

/** Says what a module asks for beside what has been understood. */
function unmapped(conversion: Conversion, what: string, settings: Raw, known: readonly string[]): void {
  for (const [field, value] of Object.entries(settings)) {
    const nothing = value === false || value === null || (Array.isArray(value) && value.length === 0)
    if (!known.includes(field) && !nothing) conversion.note(what, `${field} has no counterpart`)
  }
}

const httpFields = [
  'valid_status_codes',
  'method',
  'headers',
  'body',
  'basic_auth',
  'bearer_token',
  'authorization',
  'follow_redirects',
  'no_follow_redirects',
  'fail_if_not_ssl',
  'fail_if_body_matches_regexp',
  'fail_if_body_not_matches_regexp',
  'tls_config',
  'preferred_ip_protocol',
  'ip_protocol_fallback',
  'enable_http2',
  'valid_http_versions',
  'accept_any_response',
]

function httpLook(conversion: Conversion, what: string, target: string, http: Raw): Look {
  const url = /^https?:\/\//i.test(target) ? target : `http://${target}`
  unmapped(conversion, what, http, httpFields)
  if (http.valid_http_versions !== undefined) conversion.note(what, 'valid_http_versions has no counterpart')
  if (http.fail_if_not_ssl === true && httpType(url) === 'http') {
    conversion.note(what, 'fail_if_not_ssl: give the target as https://')
  }
  const codes = (http.valid_status_codes ?? []) as unknown[]
  const redirects = http.follow_redirects !== false && http.no_follow_redirects !== true
  return {
    type: httpType(url),
    target: url,
    method: methodOf(conversion, what, http.method),
    ssl_verify: tlsVerifies(conversion, what, http),
    options: {
      headers: headersOf(http),
      body: http.body === undefined || http.body === '' ? undefined : String(http.body),
      auth: authOf(conversion, what, http),
      expected_status: http.accept_any_response === true ? ['100-599'] : codes.length === 0 ? undefined : codes,
      ...bodyMatches(conversion, what, http),
      follow_redirects: redirects ? undefined : false,
      // Its client follows ten.
      max_redirects: redirects ? 10 : undefined,
      ip_family: familyOf(http),
    },
  }
}

function headersOf(http: Raw): Record<string, string> | undefined {
  const entries = Object.entries(asRaw(http.headers)).map(([name, value]) => [name, String(value)])
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function authOf(conversion: Conversion, what: string, http: Raw) {
  const { username, password } = asRaw(http.basic_auth)
  const { type = 'Bearer', credentials } = asRaw(http.authorization)
  const token = http.bearer_token ?? (String(type) === 'Bearer' ? credentials : undefined)
  if (http.basic_auth === undefined && token === undefined) {
    if (http.authorization !== undefined)
      conversion.note(what, 'its authorization is in a file or of another kind; left out')
    return undefined
  }
  if (token !== undefined) return { type: 'bearer', token: String(token) }
  if (password === undefined) conversion.mind(what, 'its password is in a file; left empty')
  return { type: 'basic', username: String(username ?? ''), password: String(password ?? '') }
}

function bodyMatches(conversion: Conversion, what: string, http: Raw): Raw {
  const wanted = (http.fail_if_body_not_matches_regexp ?? []) as string[]
  const unwanted = (http.fail_if_body_matches_regexp ?? []) as string[]
  const [first, ...others] = wanted
  for (const pattern of others) conversion.note(what, `the body’s second pattern ${pattern} is left out`)
  const [refused, ...more] = unwanted
  for (const pattern of more) conversion.note(what, `fail_if_body_matches_regexp ${pattern} is left out`)
  const absent = refused === undefined ? undefined : literal(refused)
  if (refused !== undefined && absent === undefined) {
    conversion.note(what, `fail_if_body_matches_regexp ${refused} is no plain text; left out`)
  }
  const plain = first === undefined ? undefined : literal(first)
  return { keyword: plain, body_regex: plain === undefined ? first : undefined, keyword_absent: absent }
}

function tlsVerifies(conversion: Conversion, what: string, settings: Raw): boolean {
  const { insecure_skip_verify, ...others } = asRaw(settings.tls_config)
  for (const field of Object.keys(others)) conversion.note(what, `tls_config.${field} has no counterpart`)
  return insecure_skip_verify !== true
}

/** Only a family that nothing falls back from is a demand. */
function familyOf({ preferred_ip_protocol, ip_protocol_fallback }: Raw): 4 | 6 | undefined {
  if (ip_protocol_fallback !== false || preferred_ip_protocol === undefined) return undefined
  return preferred_ip_protocol === 'ip4' ? 4 : 6
}

function tcpLook(conversion: Conversion, what: string, target: string, tcp: Raw): Look {
  unmapped(conversion, what, tcp, [
    'tls',
    'tls_config',
    'query_response',
    'preferred_ip_protocol',
    'ip_protocol_fallback',
  ])
  const steps = asList(tcp.query_response)
  const expects = steps.filter(step => step.expect !== undefined && step.expect !== '')
  const sends = steps.filter(step => step.send !== undefined)
  const first = expects[0]?.expect
  const simple = expects.length <= 1 && sends.length <= 1 && !steps.some(step => step.starttls === true)
  const text = first === undefined ? undefined : bannerText(String(first))
  const answered = steps.findIndex(step => step.expect !== undefined && step.expect !== '')
  const question = steps.slice(0, answered < 0 ? steps.length : answered + 1).find(step => step.send !== undefined)
  if (!simple) conversion.note(what, 'its conversation has several steps; only the connection is watched')
  else if (first !== undefined && text === undefined) {
    conversion.note(what, `expect ${String(first)} is no plain text; only the connection is watched`)
  }
  if (simple && sends.length > 0 && question === undefined) conversion.note(what, 'what is sent after the answer')
  return {
    type: 'tcp',
    target,
    ssl_verify: tlsVerifies(conversion, what, tcp),
    options: {
      tls: tcp.tls === true ? true : undefined,
      send: simple && question !== undefined ? `${String(question.send)}\n` : undefined,
      expect: simple ? text : undefined,
    },
  }
}

/** A banner is text at the beginning; a part of it is what can be asked for. Versions have dots, POP3 says +OK. */
function bannerText(pattern: string): string | undefined {
  const bare = pattern.replace(/^\^/, '').replace(/^\+/, '\\+').replace(/\$$/, '')
  return literal(bare.replaceAll(/(?<=\d)\.(?=\d)/g, '\\.'))
}

function dnsLook(conversion: Conversion, what: string, target: string, dns: Raw): Look {
  unmapped(conversion, what, dns, [
    'query_name',
    'query_type',
    'transport_protocol',
    'valid_rcodes',
    'preferred_ip_protocol',
    'ip_protocol_fallback',
  ])
  const [rcode, ...others] = (dns.valid_rcodes ?? ['NOERROR']) as string[]
  if (others.length > 0) conversion.note(what, `of several response codes only ${rcode} is good`)
  const type = String(dns.query_type ?? 'ANY')
  if (type === 'ANY') conversion.mind(what, 'a query of type ANY became A')
  return {
    type: 'dns',
    target: String(dns.query_name ?? ''),
    options: {
      record_type: type === 'ANY' || type === 'A' ? undefined : type,
      resolver: /:\d+$/.test(target) ? target : `${target}:53`,
      transport: dns.transport_protocol === 'tcp' ? 'tcp' : undefined,
      expected_rcode: rcode === 'NOERROR' ? undefined : rcode,
    },
  }
}
