import type { Surface } from '@watchpost/contract'

/** Host names of surfaces, where they were given one (ruling 13); lower case, with a port where that counts. */
export interface Hosts {
  api: string | undefined
  otlp: string | undefined
  rum: string | undefined
  site: string | undefined
}

/** What is asked for, as far as it decides where that is served. */
export interface Asked {
  surface: Surface
  path: string
  /** The `Host` header. */
  host: string
  /** Whether there is an `Authorization` header. */
  authorized: boolean
}

/**
 * Whether a path is served on the host it was asked for on. A surface without a name of its own is served on every
 * host; one that has a name, on no other.
 */
export function isServedOn(hosts: Hosts, { surface, path, host, authorized }: Asked): boolean {
  const at = (name: string | undefined) => name !== undefined && isNamed(host, name)
  const { api, otlp, rum, site } = hosts
  switch (surface) {
    case 'otlp':
      return otlp === undefined || at(otlp)
    case 'rum':
      return rum === undefined || at(rum)
    case 'probe':
      // The site serves it, too (specification 4.4). The probe that starts with the server comes by address.
      return api === undefined || at(api) || at(site) || isAddress(host)
    case 'public':
      // Takes no credential, so none can be at the wrong place; status pages may have names of their own.
      return true
    case 'session':
    case 'login':
    case 'registration':
    case 'invitation':
      return site === undefined || at(site) || at(api)
    case 'user':
      if (path.startsWith('/api/')) return site === undefined || at(site) || at(api)
      // What has no token can only be let in by what the site's own pages carry.
      return api === undefined || at(api) || (!authorized && (site === undefined || at(site)))
  }
}

/** A name without a port is meant on every port. */
function isNamed(host: string, name: string): boolean {
  const asked = host.toLowerCase()
  return asked === name || (!/:\d+$/.test(name) && withoutPort(asked) === name)
}

const withoutPort = (host: string): string => host.replace(/:\d+$/, '').replace(/\.$/, '')

function isAddress(host: string): boolean {
  return host.startsWith('[') || /^[\d.]+$/.test(withoutPort(host))
}
