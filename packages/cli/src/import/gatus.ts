import type { ChannelItem, MonitorItem } from '@watchpost/contract'
import {
  asList,
  asRaw,
  Conversion,
  httpType,
  type Judge,
  mailServer,
  methodOf,
  type Raw,
  secondsOf,
} from './conversion.ts'
import { applyCondition, type Wanted } from './gatus-condition.ts'

/** Converts a configuration of Gatus. */
export function convertGatus(config: Raw, judge?: Judge): Conversion {
  const conversion = new Conversion(judge)
  const shown: { monitor: string; group_name?: string }[] = []
  const alerted = new Map<string, string[]>()
  const endpoints = [...asList(config.endpoints), ...asList(config.services)]
  for (const raw of endpoints) {
    const [monitor, ...beside] = convertEndpoint(conversion, raw, asRaw(config.alerting))
    if (monitor === undefined) continue
    const group = raw.group === undefined ? {} : { group_name: String(raw.group).slice(0, 100) }
    shown.push({ monitor: monitor.name, ...group })
    for (const alert of asList(raw.alerts)) {
      if (alert.enabled === false) continue
      const type = String(alert.type)
      alerted.set(type, [...(alerted.get(type) ?? []), ...[monitor, ...beside].map(each => each.name)])
    }
  }
  for (const raw of asList(config['external-endpoints'])) {
    conversion.note(`external endpoint "${String(raw.name)}"`, 'what is pushed has no counterpart; left out')
  }
  for (const raw of asList(config.suites)) {
    conversion.note(`suite "${String(raw.name)}"`, 'has no counterpart; left out')
  }
  if (config.maintenance !== undefined) {
    conversion.note('maintenance', 'plan it with "monitorctl maintenance create"')
  }
  for (const [type, provider] of Object.entries(asRaw(config.alerting))) {
    convertProvider(conversion, type, asRaw(provider), alerted.get(type) ?? [])
  }
  const ui = asRaw(config.ui)
  const title = String(ui.title ?? ui.header ?? 'Status')
    .slice(0, 255)
    .padEnd(3)
  if (shown.length > 0) conversion.status_pages.push({ slug: 'status', title, monitors: shown })
  for (const heading of Object.keys(config)) {
    const known = ['endpoints', 'services', 'external-endpoints', 'suites', 'maintenance', 'alerting', 'ui']
    if (!known.includes(heading)) conversion.note(heading, 'is about Gatus itself; left out')
  }
  return conversion
}

/** @returns the monitor, and those made beside it; none where there is no counterpart */
function convertEndpoint(conversion: Conversion, raw: Raw, alerting: Raw): MonitorItem[] {
  const what = `endpoint "${raw.group === undefined ? '' : `${String(raw.group)}/`}${String(raw.name)}"`
  const client = asRaw(raw.client)
  const look = lookOf(conversion, what, raw, client)
  if (look === undefined) return []
  const wanted: Wanted = { options: { ...look.options }, certificateDays: undefined, judgesStatus: false }
  for (const condition of (raw.conditions ?? []) as unknown[]) {
    const fault = applyCondition(String(condition), look.type, wanted)
    if (fault !== undefined) conversion.note(what, `the condition ${String(condition)} ${fault}`)
  }
  const isHttp = look.type === 'http' || look.type === 'https'
  // Without a condition on it any status is good there.
  if (isHttp && !wanted.judgesStatus) wanted.options.expected_status = ['100-599']
  for (const field of Object.keys(client)) {
    if (!clientFields.includes(field)) conversion.note(what, `client.${field} has no counterpart`)
  }
  for (const field of Object.keys(raw)) {
    if (!endpointFields.includes(field)) conversion.note(what, `${field} has no counterpart`)
  }
  const name = conversion.freeName(String(raw.name ?? ''), `${String(raw.group ?? '')} ${String(raw.name)}`.trim())
  const enabled = raw.enabled !== false
  const interval = secondsOf(raw.interval, 60)
  const days = wanted.certificateDays
  if (days !== undefined && look.type === 'ssl') wanted.options.min_days_left = days
  const monitor = conversion.add(what, {
    name,
    ...look,
    interval,
    timeout: secondsOf(client.timeout, 10),
    enabled,
    options: { ...wanted.options, confirmations: confirmationsOf(raw, alerting) },
  })
  if (monitor === undefined) return []
  if (days === undefined || look.type === 'ssl') return [monitor]
  const certificate = conversion.addCertificate(what, { ...look, name, interval, enabled }, days)
  return certificate === undefined ? [monitor] : [monitor, certificate]
}

const clientFields = ['timeout', 'insecure', 'ignore-redirect']
const endpointFields = [
  'name',
  'group',
  'url',
  'method',
  'headers',
  'body',
  'graphql',
  'dns',
  'interval',
  'enabled',
  'conditions',
  'alerts',
  'client',
  '<<',
]

/** Failures before people are told: the least of its alerts. */
function confirmationsOf(raw: Raw, alerting: Raw): number | undefined {
  const thresholds = asList(raw.alerts).map(alert => {
    const defaults = asRaw(asRaw(alerting[String(alert.type)])['default-alert'])
    return Number(alert['failure-threshold'] ?? defaults['failure-threshold'] ?? 3)
  })
  return thresholds.length === 0 ? undefined : Math.min(10, Math.max(1, Math.min(...thresholds)))
}

type Look = Pick<MonitorItem, 'type' | 'target' | 'method' | 'ssl_verify' | 'options'>

function lookOf(conversion: Conversion, what: string, raw: Raw, client: Raw): Look | undefined {
  const url = String(raw.url ?? '')
  const dns = asRaw(raw.dns)
  if (raw.dns !== undefined) {
    const server = url.replace(/^\w+:\/\//, '')
    return {
      type: 'dns',
      target: String(dns['query-name'] ?? ''),
      options: {
        record_type: dns['query-type'] === 'A' ? undefined : dns['query-type'],
        resolver: /:\d+$/.test(server) ? server : `${server}:53`,
      },
    }
  }
  if (raw.grpc !== undefined || raw.ssh !== undefined) {
    conversion.note(what, `${raw.grpc === undefined ? 'ssh' : 'gRPC'} has no counterpart; left out`)
    return undefined
  }
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/.exec(url) ?? []
  switch (scheme) {
    case 'http':
    case 'https':
      return httpLook(conversion, what, raw, client, url)
    case 'tcp':
      return { type: 'tcp', target: rest, options: { send: raw.body === undefined ? undefined : String(raw.body) } }
    case 'tls':
      return { type: 'ssl', target: rest, ssl_verify: client.insecure !== true }
    case 'icmp':
      return { type: 'ping', target: rest, options: { count: 1 } }
    default:
      conversion.note(what, `${scheme === '' ? url : `${scheme}://`} has no counterpart; left out`)
      return undefined
  }
}

function httpLook(conversion: Conversion, what: string, raw: Raw, client: Raw, url: string): Look {
  const headers = Object.entries(asRaw(raw.headers)).map(([name, value]) => [name, String(value)])
  const graphql = raw.graphql === true
  if (graphql) headers.push(['Content-Type', 'application/json'])
  const body = raw.body === undefined ? undefined : graphql ? JSON.stringify({ query: raw.body }) : String(raw.body)
  return {
    type: httpType(url),
    target: url,
    method: methodOf(conversion, what, raw.method),
    ssl_verify: client.insecure !== true,
    options: {
      headers: headers.length === 0 ? undefined : Object.fromEntries(headers),
      body,
      follow_redirects: client['ignore-redirect'] === true ? false : undefined,
      // Its client follows ten.
      max_redirects: client['ignore-redirect'] === true ? undefined : 10,
    },
  }
}

function convertProvider(conversion: Conversion, type: string, provider: Raw, monitors: string[]): void {
  const channel = channelOf(type, provider)
  const what = `alerting ${type}`
  if (channel === undefined) {
    conversion.note(what, 'has no counterpart; left out')
    return
  }
  if (type === 'email') conversion.note(what, mailServer)
  if (provider.overrides !== undefined) conversion.note(what, 'its overrides are left out')
  const some = monitors.length > 0 && monitors.length < conversion.monitors.length && monitors.length <= 200
  conversion.channels.push({
    name: type,
    ...channel,
    ...(some ? { monitors } : {}),
    ...(monitors.length > 0 ? {} : { enabled: false }),
  })
  if (monitors.length === 0) conversion.mind(what, 'no endpoint uses it; it is switched off')
}

function channelOf(
  type: string,
  provider: Raw,
): Pick<ChannelItem, 'type' | 'url' | 'to' | 'bot_token' | 'chat_id'> | undefined {
  if (type === 'slack' || type === 'discord') return { type, url: String(provider['webhook-url']) }
  if (type === 'telegram') return { type, bot_token: String(provider.token), chat_id: String(provider.id) }
  if (type === 'email')
    return {
      type,
      to: String(provider.to)
        .split(',')
        .map(each => each.trim()),
    }
  return undefined
}
