import type { ChannelItem, MonitorItem } from '@watchpost/contract'
import { asList, asRaw, Conversion, httpType, type Judge, mailServer, methodOf, type Raw } from './conversion.ts'
import { convertMaintenance } from './kuma-maintenance.ts'

/** What an Uptime Kuma holds, as its backup calls it; a database is brought into this shape first. */
export interface Kuma {
  monitorList: Raw[]
  notificationList: Raw[]
  statusPageList?: Raw[]
  maintenanceList?: Raw[]
  /** What its settings say, as `Europe/Berlin`. */
  serverTimezone?: string | undefined
}

/** Converts a backup of Uptime Kuma, or what its database holds. */
export function convertKuma(kuma: Kuma, judge?: Judge): Conversion {
  const conversion = new Conversion(judge)
  const made = new Map<number, string[]>()
  const groups = new Map(kuma.monitorList.filter(each => each.type === 'group').map(each => [each.id, each.name]))
  for (const raw of kuma.monitorList) {
    const monitor = convertMonitor(conversion, raw)
    if (monitor === undefined) continue
    made.set(Number(raw.id), [monitor.name, ...certificateOf(conversion, raw, monitor)])
    if (groups.has(raw.parent)) {
      conversion.note(label(raw), `the group "${String(groups.get(raw.parent))}" is gone; pages have groups instead`)
    }
  }
  for (const raw of kuma.notificationList) convertNotification(conversion, raw, kuma.monitorList, made)
  for (const raw of kuma.statusPageList ?? []) convertPage(conversion, raw, made)
  for (const raw of kuma.maintenanceList ?? []) convertMaintenance(conversion, raw, made, kuma.serverTimezone)
  return conversion
}

/** Kuma tells of certificates 21, 14 and 7 days before they expire, by default. */
function certificateOf(conversion: Conversion, raw: Raw, monitor: MonitorItem): string[] {
  if (!isOn(raw.expiryNotification) || monitor.type !== 'https') return []
  const certificate = conversion.addCertificate(label(raw), monitor, 21)
  return certificate === undefined ? [] : [certificate.name]
}

const label = (raw: Raw) => `monitor ${String(raw.id)} "${String(raw.name)}"`
const isOn = (value: unknown): boolean => value === true || value === 1 || value === '1'
const text = (value: unknown): string | undefined =>
  value === null || value === undefined || value === '' ? undefined : String(value)

function convertMonitor(conversion: Conversion, raw: Raw): MonitorItem | undefined {
  const what = label(raw)
  const look = lookOf(conversion, what, raw)
  if (look === undefined) return undefined
  if (isOn(raw.upsideDown)) {
    conversion.note(what, 'upside down (a failure is good) has no counterpart; left out')
    return undefined
  }
  const retries = Number(raw.maxretries ?? 0)
  const interval = Number(raw.interval ?? 60)
  const resend = Number(raw.resendInterval ?? 0)
  const retry = Number(raw.retryInterval ?? 0)
  if (retries > 9) conversion.mind(what, `${retries} retries became 9`)
  for (const tag of asList(raw.tags)) conversion.note(what, `the tag "${String(tag.name)}" has no counterpart`)
  if (text(raw.description) !== undefined) conversion.note(what, 'the description has no counterpart')
  if (raw.proxyId != null || raw.proxy_id != null) conversion.note(what, 'the proxy has no counterpart')
  return conversion.add(what, {
    name: conversion.freeName(String(raw.name ?? '')),
    ...look,
    interval,
    timeout: Number(raw.timeout ?? 0) || Math.floor(interval * 0.8),
    enabled: raw.active === undefined || isOn(raw.active),
    options: {
      ...look.options,
      confirmations: Math.min(10, Math.max(1, retries + 1)),
      retry_interval: retries > 0 && retry > 0 ? Math.min(3600, retry) : undefined,
      reminder_interval: resend > 0 ? Math.min(604_800, Math.max(60, resend * interval)) : undefined,
    },
  })
}

type Look = Pick<MonitorItem, 'type' | 'target' | 'method' | 'ssl_verify' | 'options'>

function lookOf(conversion: Conversion, what: string, raw: Raw): Look | undefined {
  const host = text(raw.hostname) ?? ''
  switch (raw.type) {
    case 'http':
    case 'keyword':
    case 'json-query':
      return httpLook(conversion, what, raw)
    case 'port':
      return { type: 'tcp', target: `${host.includes(':') ? `[${host}]` : host}:${Number(raw.port)}` }
    case 'ping': {
      const size = Number(raw.packetSize ?? 56)
      return { type: 'ping', target: host, options: { size: size === 56 ? undefined : Math.max(16, size) } }
    }
    case 'dns':
      return dnsLook(conversion, what, raw, host)
    case 'group':
      return undefined
    default:
      conversion.note(what, `type ${String(raw.type)} has no counterpart; left out`)
      return undefined
  }
}

function dnsLook(conversion: Conversion, what: string, raw: Raw, host: string): Look {
  const port = Number(raw.port ?? 53)
  const [server, ...others] = (text(raw.dns_resolve_server) ?? '').split(',').map(each => each.trim())
  if (others.length > 0) conversion.mind(what, `of several resolvers only ${server} is asked`)
  if (asList(parsed(raw.conditions)).length > 0) conversion.note(what, 'its conditions have no counterpart')
  return {
    type: 'dns',
    target: host,
    options: {
      record_type: text(raw.dns_resolve_type) === 'A' ? undefined : text(raw.dns_resolve_type),
      resolver: server ? `${server.includes(':') ? `[${server}]` : server}:${port}` : undefined,
    },
  }
}

function httpLook(conversion: Conversion, what: string, raw: Raw): Look {
  const url = String(raw.url ?? '')
  const codes = (raw.accepted_statuscodes as unknown[] | undefined) ?? ['200-299']
  const keyword = raw.type === 'keyword' ? text(raw.keyword) : undefined
  const redirects = Number(raw.maxredirects ?? 10)
  return {
    type: httpType(url),
    target: url,
    method: methodOf(conversion, what, raw.method),
    ssl_verify: !isOn(raw.ignoreTls),
    options: {
      headers: headersOf(conversion, what, raw),
      body: text(raw.body),
      auth: authOf(conversion, what, raw),
      expected_status:
        codes.length === 1 && codes[0] === '200-299'
          ? undefined
          : codes.map(code => (/^\d+$/.test(String(code)) ? Number(code) : String(code))),
      ...(isOn(raw.invertKeyword) ? { keyword_absent: keyword } : { keyword }),
      json: raw.type === 'json-query' ? jsonOf(conversion, what, raw) : undefined,
      follow_redirects: redirects === 0 ? false : undefined,
      max_redirects: redirects === 0 ? undefined : Math.min(20, redirects),
      ip_family: raw.ipFamily === 'ipv4' ? 4 : raw.ipFamily === 'ipv6' ? 6 : undefined,
    },
  }
}

function headersOf(conversion: Conversion, what: string, raw: Raw): Record<string, string> | undefined {
  const held = parsed(raw.headers)
  const headers = Object.fromEntries(Object.entries(asRaw(held)).map(([name, value]) => [name, String(value)]))
  if (text(raw.headers) !== undefined && Object.keys(headers).length === 0) {
    conversion.note(what, 'its headers are no JSON object; left out')
  }
  const encoding = text(raw.httpBodyEncoding)
  const type = { json: 'application/json', xml: 'text/xml', form: 'application/x-www-form-urlencoded' }[encoding ?? '']
  const said = Object.keys(headers).some(name => name.toLowerCase() === 'content-type')
  if (text(raw.body) !== undefined && type !== undefined && !said) headers['Content-Type'] = type
  return Object.keys(headers).length === 0 ? undefined : headers
}

function authOf(conversion: Conversion, what: string, raw: Raw) {
  const method = text(raw.authMethod) ?? (text(raw.basic_auth_user) === undefined ? undefined : 'basic')
  if (method === undefined || method === 'none') return undefined
  if (method !== 'basic') {
    conversion.note(what, `authentication by ${method} has no counterpart`)
    return undefined
  }
  if (text(raw.basic_auth_user) === undefined) return undefined
  return { type: 'basic', username: text(raw.basic_auth_user), password: text(raw.basic_auth_pass) ?? '' }
}

function jsonOf(conversion: Conversion, what: string, raw: Raw) {
  const path = (text(raw.jsonPath) ?? '$').replace(/^\$\.?/, '')
  const operator = text(raw.jsonPathOperator) ?? '=='
  if (!/^[\w.[\]]*$/.test(path) || operator !== '==') {
    conversion.note(
      what,
      `the query ${String(raw.jsonPath)} ${operator} ${String(raw.expectedValue)} is left out; write it as options.json`,
    )
    return undefined
  }
  const value = parsed(raw.expectedValue) ?? text(raw.expectedValue) ?? ''
  return [{ path: path === '' ? '$' : path.startsWith('[') ? `$${path}` : `$.${path}`, equals: value }]
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

function convertNotification(conversion: Conversion, raw: Raw, monitors: Raw[], made: Map<number, string[]>): void {
  const config = asRaw(parsed(raw.config))
  const what = `notification ${String(raw.id)} "${String(raw.name)}"`
  const channel = channelOf(config)
  if (channel === undefined) {
    conversion.note(what, `type ${String(config.type)} has no counterpart; left out`)
    return
  }
  const users = monitors.filter(monitor => isOn(asRaw(monitor.notificationIDList)[String(raw.id)]))
  const names = users.flatMap(({ id }) => made.get(Number(id)) ?? [])
  if (names.length === 0) conversion.mind(what, 'no monitor that was converted uses it; it is switched off')
  if (names.length > 200) conversion.mind(what, 'more than 200 monitors use it; it gets the events of all')
  const some = names.length > 0 && names.length < conversion.monitors.length && names.length <= 200
  const enabled = names.length > 0 && (raw.active === undefined || isOn(raw.active))
  if (config.type === 'smtp') conversion.note(what, mailServer)
  conversion.channels.push({
    name: String(raw.name),
    ...channel,
    ...(some ? { monitors: names } : {}),
    ...(enabled ? {} : { enabled: false }),
  })
}

function channelOf(config: Raw): Pick<ChannelItem, 'type' | 'url' | 'to' | 'bot_token' | 'chat_id'> | undefined {
  switch (config.type) {
    case 'slack':
      return { type: 'slack', url: String(config.slackwebhookURL) }
    case 'discord':
      return { type: 'discord', url: String(config.discordWebhookUrl) }
    case 'telegram':
      return { type: 'telegram', bot_token: String(config.telegramBotToken), chat_id: String(config.telegramChatID) }
    case 'webhook':
      return { type: 'webhook', url: String(config.webhookURL) }
    case 'smtp':
      return {
        type: 'email',
        to: String(config.smtpTo)
          .split(',')
          .map(each => /<(.*)>/.exec(each)?.[1] ?? each.trim()),
      }
    default:
      return undefined
  }
}

function convertPage(conversion: Conversion, raw: Raw, made: Map<number, string[]>): void {
  const what = `status page "${String(raw.slug)}"`
  const shown = new Set<string>()
  const monitors = asList(raw.publicGroupList).flatMap(group =>
    asList(group.monitorList).flatMap(({ id }) => {
      const name = made.get(Number(id))?.[0]
      if (name === undefined) {
        conversion.note(what, `monitor ${String(id)} was not converted, and is not on it`)
        return []
      }
      if (shown.has(name)) return []
      shown.add(name)
      return [{ monitor: name, group_name: String(group.name).slice(0, 100) || 'General', order_index: shown.size - 1 }]
    }),
  )
  const slug = String(raw.slug).padEnd(3, '-')
  const title = String(raw.title).padEnd(3, ' ')
  const description = text(raw.description)
  conversion.status_pages.push({
    slug,
    title,
    ...(description === undefined ? {} : { description: description.slice(0, 1000) }),
    ...(raw.published === undefined || isOn(raw.published) ? {} : { is_public: false }),
    monitors,
  })
  for (const [field, said] of [
    ['customCSS', 'CSS'],
    ['footerText', 'footer'],
    ['icon', 'icon'],
  ] as const) {
    const held = text(raw[field])
    if (held !== undefined && held !== '/icon.svg') conversion.note(what, `its ${said} has no counterpart`)
  }
}
