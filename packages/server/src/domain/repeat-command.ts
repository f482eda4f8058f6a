import { isIPv6 } from 'node:net'
import type { MonitorSettings } from './monitor-settings.ts'
import { commandLine, quoted } from './shell.ts'

type Looked = Pick<MonitorSettings, 'target' | 'method' | 'timeout' | 'ssl_verify'> & {
  type: string
  options: Record<string, unknown>
}

/** A command that looks as the monitor does, with the tools that everybody has; null for a type that has none. */
export function repeatCommand(monitor: Looked): string | null {
  switch (monitor.type) {
    case 'http':
    case 'https':
      return curl(monitor)
    case 'tcp':
      return tcp(monitor)
    case 'ssl':
      return ssl(monitor)
    case 'dns':
      return dig(monitor)
    case 'ping':
      return ping(monitor)
    default:
      return null
  }
}

/** Headers that hold no secret. */
const openHeaders = /^(accept(-.*)?|cache-control|content-type|host|origin|pragma|range|referer|user-agent)$/i
const secretName = '[\\w.-]*(?:token|key|secret|pass|pwd|sig|auth|credential|session)[\\w.-]*'
const inQuery = new RegExp(`([?&;]${secretName}=)[^&;#]*`, 'gi')
const inForm = new RegExp(`((?:^|[&;])${secretName}=)[^&;#\\s]*`, 'gi')
const inJson = new RegExp(`("${secretName}"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"|[^\\s,}\\]]+)`, 'gi')
/** Bytes of a body that are shown. */
const longestBody = 2000

function openUrl(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1***@').replace(inQuery, '$1***')
}

function curl({ target, method, timeout, ssl_verify, options }: Looked): string {
  const { headers = {}, auth, body, follow_redirects = true, max_redirects = 5, ip_family, min_tls_version } = options
  const { type, username } = (auth ?? {}) as { type?: string; username?: string }
  const shown = Object.entries(headers as Record<string, string>).map(
    ([name, value]) => `${name}: ${openHeaders.test(name) ? value : '***'}`,
  )
  if (type === 'bearer') shown.push('Authorization: Bearer ***')
  return commandLine([
    'curl',
    '-sS',
    '-i',
    '--max-time',
    timeout,
    ...(method === 'get' ? [] : ['-X', method.toUpperCase()]),
    ...(ssl_verify ? [] : ['-k']),
    ...(follow_redirects === true ? ['-L', '--max-redirs', Number(max_redirects)] : []),
    ...(ip_family === 4 || ip_family === 6 ? [`-${ip_family}`] : []),
    ...(typeof min_tls_version === 'string' ? [`--${min_tls_version.toLowerCase()}`] : []),
    ...shown.flatMap(header => ['-H', header]),
    ...(type === 'basic' ? ['-u', `${username ?? ''}:***`] : []),
    ...(typeof body === 'string' ? ['--data-raw', openBody(body)] : []),
    openUrl(target),
  ])
}

function openBody(body: string): string {
  const open = body.replace(inJson, '$1"***"').replace(inForm, '$1***')
  return open.length > longestBody ? `${open.slice(0, longestBody)}…` : open
}

/** Host and port of `host:port`, where an IPv6 address is in brackets. */
function hostPort(target: string, otherwise: unknown): { host: string; port: string } {
  if (isIPv6(target)) return { host: target, port: String(otherwise) }
  const { host, port } = /^\[?(?<host>[^\]]*?)\]?(?::(?<port>\d+))?$/.exec(target)?.groups ?? {}
  return { host: host ?? target, port: port ?? String(otherwise) }
}

const connectTo = ({ host, port }: { host: string; port: string }) =>
  isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`

function tcp({ target, timeout, options }: Looked): string {
  const at = hostPort(target, '')
  const { send, tls } = options
  const sent = typeof send === 'string' ? `printf %s ${quoted(send)} | ` : ''
  if (tls === true) {
    const words = ['openssl', 's_client', '-quiet', '-connect', connectTo(at)]
    return `${sent}${commandLine(['timeout', timeout, ...words, ...serverName(at.host)])}${sent === '' ? ' </dev/null' : ''}`
  }
  return sent + commandLine(['nc', sent === '' ? '-vz' : '-v', '-w', timeout, at.host, at.port])
}

/** An address is no name to ask for. */
function serverName(name: string): string[] {
  return /^[\d.]+$/.test(name) || isIPv6(name) ? [] : ['-servername', name]
}

function ssl({ target, timeout, options }: Looked): string {
  const at = hostPort(target, options.port ?? 443)
  const strict = options.allow_self_signed === true ? [] : ['-verify_return_error']
  const name = typeof options.servername === 'string' ? ['-servername', options.servername] : serverName(at.host)
  return `${commandLine(['timeout', timeout, 'openssl', 's_client', '-showcerts', ...strict, '-connect', connectTo(at), ...name])} </dev/null`
}

function dig({ target, timeout, options }: Looked): string {
  const { record_type = 'A', resolver, transport } = options
  const at = typeof resolver === 'string' ? hostPort(resolver, 53) : undefined
  const from = at === undefined ? [] : [`@${at.host}`, '-p', at.port]
  const about = record_type === 'PTR' && !target.endsWith('.arpa') ? ['-x', target] : [target, String(record_type)]
  return commandLine([
    'dig',
    `+time=${timeout}`,
    '+tries=1',
    transport === 'tcp' ? '+tcp' : undefined,
    ...from,
    ...about,
  ])
}

function ping({ target, timeout, options }: Looked): string {
  const { count = 3, size } = options
  const bytes = typeof size === 'number' ? ['-s', size] : []
  return commandLine(['ping', '-c', Number(count), '-w', timeout, ...bytes, target])
}
