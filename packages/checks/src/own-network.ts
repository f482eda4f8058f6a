import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'

const validFor = 1000
const defaultRoutes = { 4: /^\S+\t00000000\t\S+\t\S+\t\S+\t\S+\t\S+\t00000000\t/m, 6: /^0{32} 00 .*(?<! lo)$/m }

const remembered = { 4: { has: true, until: 0 }, 6: { has: true, until: 0 } }

/**
 * Whether this host has an address of a family to set out from and a way out of its own network. An IPv6 target seen
 * from a host without IPv6 says nothing of the target. Looked up once a second at most: in an outage every check asks.
 */
export function hasNetwork(family: 4 | 6): boolean {
  const known = remembered[family]
  if (performance.now() < known.until) return known.has
  const has = hasAddress(family) && hasDefaultRoute(family, textOf(family === 4 ? 'route' : 'ipv6_route'))
  remembered[family] = { has, until: performance.now() + validFor }
  return has
}

/** Reads a routing table of /proc/net; where there is none (not Linux), nobody can tell, and all is taken to be well. */
export const hasDefaultRoute = (family: 4 | 6, table: string | null): boolean =>
  table === null || defaultRoutes[family].test(table)

function hasAddress(family: 4 | 6): boolean {
  return Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .some(it => !it.internal && it.family === `IPv${family}` && !it.address.startsWith('fe80:'))
}

function textOf(name: string): string | null {
  try {
    return readFileSync(`/proc/net/${name}`, 'utf8')
  } catch {
    return null
  }
}
