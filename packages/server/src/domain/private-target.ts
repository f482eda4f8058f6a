import { isIP } from 'node:net'
import { isRefused } from '@watchpost/checks'

/** Team of whoever runs this server, which bootstrap makes: it may look into its own network. */
export const operatorsTeam = 1

/**
 * Whether this server's own probes must keep out of private networks for a team: where strangers may register, they
 * must not scan the network that the server is in (ruling 18).
 */
export function mustStayOutside(teamId: number, registration: 'open' | 'closed'): boolean {
  return registration === 'open' && teamId !== operatorsTeam
}

/**
 * Whether a target says by itself that it is in a private network or on the probe's own host. A name that leads there is
 * found out by the probe, which knows the address it connects to.
 */
export function isPrivateTarget(type: string, target: string): boolean {
  const host = hostOf(type, target).toLowerCase().replace(/\.$/, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  return isIP(host) !== 0 && isRefused(host, { private: 'deny' })
}

function hostOf(type: string, target: string): string {
  const host = type === 'http' || type === 'https' ? URL.parse(target)?.hostname : undefined
  const text = host ?? target
  const bracketed = /^\[([^\]]*)\]/.exec(text)?.[1]
  if (bracketed !== undefined || isIP(text) !== 0) return bracketed ?? text
  return text.replace(/:\d+$/, '')
}
