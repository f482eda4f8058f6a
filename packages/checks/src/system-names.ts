import dns from 'node:dns'
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { win32 } from 'node:path'

const lookEvery = 5000
const isWindows = process.platform === 'win32'
const hostsPath = isWindows
  ? win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32\\drivers\\etc\\hosts')
  : '/etc/hosts'
const resolvPath = '/etc/resolv.conf'

/** What the host says of resolvers and names. */
export interface ResolverSettings {
  servers: string[]
  /** Domains that are tried after a short name. */
  search: string[]
  /** Names with fewer dots are short. */
  ndots: number
}

/** Reads a hosts file: name → addresses in their order. */
export function parseHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [ip = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(ip.split('%')[0] ?? '') === 0) continue
    for (const name of names) hosts.set(name.toLowerCase(), [...(hosts.get(name.toLowerCase()) ?? []), ip])
  }
  return hosts
}

/** Reads what resolv.conf(5) says; the last `search` or `domain` counts. */
export function parseResolvConf(text: string): ResolverSettings {
  const settings: ResolverSettings = { servers: [], search: [], ndots: 1 }
  for (const line of text.split('\n')) {
    const [word, ...rest] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/)
    if (word === 'nameserver' && rest[0]) settings.servers.push(rest[0])
    if (word === 'search' || word === 'domain') settings.search = rest.map(it => it.replace(/\.$/, '')).filter(Boolean)
    const dots = word === 'options' ? rest.find(it => it.startsWith('ndots:')) : undefined
    if (dots) settings.ndots = Math.min(15, Number(dots.slice(6)) || 0)
  }
  return settings
}

/** The full names that a name may stand for, in the order in which the system's own resolver would ask for them. */
export function candidates(name: string, { search, ndots }: Pick<ResolverSettings, 'search' | 'ndots'>): string[] {
  const longer = search.map(domain => `${name}.${domain}`).filter(it => it.length <= 253)
  return name.split('.').length > ndots ? [name, ...longer] : [...longer, name]
}

/** A file that is read again once it has changed. */
class WatchedFile<T> {
  readonly #path: string
  readonly #parse: (text: string, isFirst: boolean) => T
  #looked = Number.NEGATIVE_INFINITY
  #changed = -1
  #value: T | undefined

  constructor(path: string, parse: (text: string, isFirst: boolean) => T) {
    this.#path = path
    this.#parse = parse
  }

  get value(): T {
    if (this.#value !== undefined && performance.now() - this.#looked < lookEvery) return this.#value
    this.#looked = performance.now()
    const changed = statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (this.#value === undefined || changed !== this.#changed) {
      this.#value = this.#parse(textOf(this.#path), this.#value === undefined)
      this.#changed = changed
    }
    return this.#value
  }
}

const hostsFile = new WatchedFile(hostsPath, parseHosts)

// Node reads the resolvers once, when it starts; a host that moves to another network gets others.
const resolvFile = new WatchedFile(resolvPath, (text, isFirst) => {
  const settings = parseResolvConf(text)
  if (!isFirst && settings.servers.length > 0) dns.setServers(settings.servers.filter(it => isIP(it) !== 0))
  return settings
})

/** Addresses that the hosts file gives a name; `localhost` is this host even where the file does not say so. */
export function fromHostsFile(name: string): string[] {
  const found = hostsFile.value.get(name)
  if (found) return found
  return name === 'localhost' || name.endsWith('.localhost') ? ['127.0.0.1', '::1'] : []
}

/** The full names that a name may stand for on this host. */
export const fullNames = (name: string): string[] => candidates(name, resolvFile.value)

/** The resolvers of this host, as `address` or `address:port`. */
export function systemServers(): string[] {
  void resolvFile.value
  // Through the object: `setServers` puts other functions into it, which whoever imported them by name does not see.
  return dns.getServers()
}

// A file that is not there or not for us says nothing; so it is with the system's own resolver.
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
