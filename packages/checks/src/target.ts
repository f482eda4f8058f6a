import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { getHostname } from 'tldts'
import { TargetError } from './check-type.ts'

/** A host to look at: an IP address without brackets, or a name in lowercase ASCII (punycode). */
export interface Host {
  readonly host: string
  readonly isAddress: boolean
}

// The same targets come round every minute, and to read one costs more than to open its socket.
const maxRemembered = 16_384
const hosts = new Map<string, Host>()
const hostPorts = new Map<string, Host & { readonly port: number }>()

/**
 * Reads a host name or an IP address. Names may have underscores (`_dmarc.example.com`) and a trailing dot.
 * @throws {TargetError} saying what to write instead
 */
export function parseHost(text: string): Host {
  return hosts.get(text) ?? remember(hosts, text, readHost(text))
}

function readHost(text: string): Host {
  refuseOddCharacters(text)
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  if (isIP(bare) !== 0 && !bare.includes('%')) return { host: bare.toLowerCase(), isAddress: true }
  if (text.includes('://')) throw new TargetError('must be a host name or address, without a scheme such as https://')
  if (/[/?#@:[\]\\%]/.test(text)) throw new TargetError('must be a host name or address, such as example.com')

  const name = domainToASCII(text.replace(/\.$/, '')).toLowerCase()
  // 2130706433, 127.1 and 0x7f.1 are addresses to some resolvers and names to others.
  if (isIP(name) !== 0 || /(^|\.)(\d+|0x[0-9a-f]*)$/i.test(text)) {
    throw new TargetError('must be a host name, or an IP address written in full, such as 192.0.2.1')
  }
  const labels = name.split('.')
  if (getHostname(name, { mixedInputs: false }) !== name || name.length > 253 || labels.includes('')) {
    throw new TargetError('must be a valid host name or address, such as example.com or 192.0.2.1')
  }
  return { host: name, isAddress: false }
}

/**
 * Reads `host:port`; an IPv6 address with a port stands in brackets.
 * @param defaultPort used when there is none; without it a port is demanded
 * @throws {TargetError} saying what to write instead
 */
export function parseHostPort(text: string, defaultPort?: number): Host & { readonly port: number } {
  const key = defaultPort === undefined ? text : `${text} ${defaultPort}`
  return hostPorts.get(key) ?? remember(hostPorts, key, readHostPort(text, defaultPort))
}

function remember<T>(map: Map<string, T>, key: string, value: T): T {
  if (map.size >= maxRemembered) map.clear()
  map.set(key, value)
  return value
}

function readHostPort(text: string, defaultPort?: number): Host & { port: number } {
  refuseOddCharacters(text)
  if (text.includes('://')) throw new TargetError('must be host:port, without a scheme such as https://')
  const match = isIP(text) === 6 ? null : /^(.*):([^:\]]*)$/.exec(text)
  if (!match && defaultPort === undefined) throw new TargetError('must be host:port, such as example.com:5432')
  if (!match) return { ...parseHost(text), port: defaultPort ?? 0 }

  const [, host = '', port = ''] = match
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw new TargetError('must have a port between 1 and 65535, such as example.com:5432')
  }
  if (host.includes(':') && !host.startsWith('[')) {
    throw new TargetError('must have its IPv6 address in brackets, such as [2001:db8::1]:5432')
  }
  return { ...parseHost(host), port: Number(port) }
}

/**
 * Reads an absolute URL of one of these schemes.
 * @throws {TargetError} saying what to write instead
 */
export function parseUrl(text: string, schemes: readonly ('http' | 'https')[]): URL {
  const wanted = schemes.map(scheme => `${scheme}://`).join(' or ')
  refuseOddCharacters(text)
  // WHATWG parsing mends "https:example.com" and "https:///example.com"; a monitor should say what it means.
  if (!schemes.some(scheme => new RegExp(`^${scheme}://[^/\\\\?#]`, 'i').test(text))) {
    throw new TargetError(`must be a URL that starts with ${wanted} and names a host`)
  }
  const url = URL.parse(text)
  if (!url || url.hostname === '')
    throw new TargetError(`must be a valid URL, such as ${schemes.at(-1)}://example.com/`)
  if (url.port === '0') throw new TargetError('must have a port between 1 and 65535')
  parseHost(url.hostname)
  return url
}

/** What is wrong with a target, as a message; null when `parse` takes it. */
export function targetMessage(parse: () => unknown): string | null {
  try {
    parse()
    return null
  } catch (error) {
    if (error instanceof TargetError) return error.message
    throw error
  }
}

// A leading dash would be an option to a program that is given the target; the others hide what is really asked for.
function refuseOddCharacters(text: string): void {
  if (text === '') throw new TargetError('must not be empty')
  if (text.startsWith('-')) throw new TargetError('must not start with "-"')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/.test(text)) {
    throw new TargetError('must not contain spaces or control characters')
  }
}
