import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { answersFor } from './dns-answer.ts'
import { askSystem } from './dns-system.ts'
import { Failure } from './failure.ts'
import { isRefused } from './guard.ts'
import { beforeDeadline, type Look } from './look.ts'
import { fromHostsFile, fullNames } from './system-names.ts'

export { at } from './address.ts'

export type Family = 4 | 6 | 'any'

/**
 * Resolves a host as the system does (hosts file, search domains) to the one address the check connects to, and judges
 * that address by the policy. Of both families IPv4 is taken: every probe has it, so results do not depend on the probe;
 * of several addresses the one that the resolver names first.
 * @throws {Failure} dns_nxdomain, dns_no_address, dns_servfail, dns_refused, dns_timeout, dns_rcode, probe_resolver,
 * address_refused
 */
export async function resolve(look: Look, host: string, family: Family = 'any'): Promise<string> {
  const literal = isIP(host)
  if (literal !== 0 && family !== 'any' && literal !== family) {
    throw new Failure('dns_no_address', `${host} is not an IPv${family} address.`)
  }
  const ip = literal === 0 ? await lookUp(look, host, family) : host
  look.details.address = ip
  if (isRefused(ip, look.policy)) {
    const named = literal === 0 ? `${host} has the address ${ip}, which` : `The address ${ip}`
    throw new Failure('address_refused', `${named} may not be monitored.`)
  }
  return ip
}

// Not by getaddrinfo: it keeps one of four threads for as long as a resolver is silent, and everybody else waits for them.
async function lookUp(look: Look, host: string, family: Family): Promise<string> {
  const inHosts = fromHostsFile(host)
  const listed = chosenOf(inHosts, family)
  look.watch.lap('resolve_ms')
  if (listed) return listed
  let found: Failure | undefined
  for (const name of fullNames(host)) {
    const answer = await addressOf(look, name, host, family)
    if (typeof answer === 'string') return answer
    if (!found || found.kind === 'dns_nxdomain' || (name === host && answer.kind !== 'dns_nxdomain')) found = answer
  }
  const isLocal = !host.includes('.') || host.endsWith('.local')
  const known = found?.kind === 'dns_nxdomain' && isLocal ? await fromSystem(look, host) : []
  const elsewhere = chosenOf(known, family)
  if (elsewhere) return elsewhere
  // The name servers need not know what this host does: the name exists, with addresses of the other family.
  if (found?.kind === 'dns_nxdomain' && inHosts.length + known.length > 0) throw noAddress(host, family)
  throw found ?? new Failure('dns_nxdomain', `The name ${host} does not exist.`)
}

/** The address of a full name, or why it has none. IPv6 is asked for only where it is wanted or all there is. */
async function addressOf(look: Look, name: string, host: string, family: Family): Promise<string | Failure> {
  for (const type of family === 'any' ? (['A', 'AAAA'] as const) : ([family === 4 ? 'A' : 'AAAA'] as const)) {
    const { response } = await askSystem(look, { name, type })
    switch (response.rcode) {
      case 'NOERROR':
        break
      case 'NXDOMAIN':
        return new Failure('dns_nxdomain', `The name ${host} does not exist.`)
      case 'SERVFAIL':
        return new Failure('dns_servfail', `The name servers of ${host} failed (SERVFAIL).`)
      case 'REFUSED':
        return new Failure('dns_refused', `The answer for ${host} was REFUSED.`)
      default:
        return new Failure('dns_rcode', `The answer for ${host} was ${response.rcode}.`)
    }
    const [answer] = answersFor(name, type, response.answers ?? [])
    if (answer?.type === 'A' || answer?.type === 'AAAA') return answer.data
  }
  return noAddress(host, family)
}

const noAddress = (host: string, family: Family) =>
  new Failure('dns_no_address', `${host} has no ${family === 'any' ? '' : `IPv${family} `}address.`)

/** Short names and those of the local network may be known by other ways than DNS, which only the system knows. */
async function fromSystem(look: Look, host: string): Promise<string[]> {
  try {
    const late = () => new Failure('dns_nxdomain', `The name ${host} does not exist.`)
    const found = await beforeDeadline(look.signal, lookup(host, { all: true }), late)
    return found.map(it => it.address)
  } catch {
    return []
  } finally {
    look.watch.lap('resolve_ms')
  }
}

function chosenOf(addresses: string[], family: Family): string | undefined {
  const fits = family === 'any' ? addresses : addresses.filter(it => isIP(it) === family)
  return fits.find(it => isIP(it) === 4) ?? fits[0]
}
