import dns, { type LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { Failure } from './failure.ts'
import { isRefused } from './guard.ts'
import { beforeDeadline, type Look } from './look.ts'
import { codeOf } from './socket-failure.ts'

export type Family = 4 | 6 | 'any'

/**
 * Resolves a host as the system does (hosts file included) to the one address the check connects to, and judges that
 * address by the policy. Of both families IPv4 is taken: every probe has it, so results do not depend on the probe.
 * @throws {Failure} dns_nxdomain, dns_no_address, dns_servfail, dns_refused, probe_resolver, address_refused
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

/** `address:port`, with brackets around an IPv6 address. */
export const at = (ip: string, port: number) => (isIP(ip) === 6 ? `[${ip}]:${port}` : `${ip}:${port}`)

async function lookUp(look: Look, host: string, family: Family): Promise<string> {
  let found: LookupAddress[]
  try {
    found = await beforeDeadline(
      look.signal,
      dns.promises.lookup(host, { all: true }),
      () => new Failure('probe_resolver', `The probe's resolver did not answer for ${host} within ${look.timeout} s.`),
    )
  } catch (error) {
    throw error instanceof Failure ? error : await lookupFailure(look, error, host)
  } finally {
    look.watch.lap('resolve_ms')
  }
  const fits = family === 'any' ? found : found.filter(it => it.family === family)
  const chosen = fits.find(it => it.family === 4) ?? fits[0]
  if (!chosen) {
    const wanted = family === 'any' ? '' : `IPv${family} `
    throw new Failure('dns_no_address', `${host} has no ${wanted}address.`)
  }
  return chosen.address
}

/**
 * The system says no more than "not found" or "try again", which is also what it says of a broken zone. So the
 * resolvers are asked once more, in the protocol's own words, before anybody is blamed.
 */
async function lookupFailure(look: Look, error: unknown, host: string): Promise<Failure> {
  const code = codeOf(error)
  if (code === 'EMFILE' || code === 'ENOMEM' || code === 'EAI_MEMORY') {
    return new Failure('probe_resources', 'The probe has too few resources left to resolve a name.', { cause: error })
  }
  switch (await resolverCode(look, host)) {
    case 'ENODATA':
      return new Failure('dns_no_address', `${host} has no address.`, { cause: error })
    case 'ESERVFAIL':
      return new Failure('dns_servfail', `The name servers of ${host} failed (SERVFAIL).`, { cause: error })
    case 'EREFUSED':
      return new Failure('dns_refused', `The answer for ${host} was REFUSED.`, { cause: error })
    case 'ENOTFOUND':
      return new Failure('dns_nxdomain', `The name ${host} does not exist.`, { cause: error })
  }
  if (code === 'ENOTFOUND') return new Failure('dns_nxdomain', `The name ${host} does not exist.`, { cause: error })
  return new Failure('probe_resolver', `The probe's resolver failed for ${host} (${code}).`, { cause: error })
}

async function resolverCode(look: Look, host: string): Promise<string> {
  const resolver = new dns.promises.Resolver({ timeout: 1000, tries: 1 })
  resolver.setServers(dns.getServers())
  const stop = () => resolver.cancel()
  look.signal.addEventListener('abort', stop, { once: true })
  try {
    await resolver.resolve4(host)
    return 'unknown'
  } catch (error) {
    return codeOf(error)
  } finally {
    look.signal.removeEventListener('abort', stop)
  }
}
