import { BlockList, isIP, isIPv4 } from 'node:net'

/** A range of addresses; a single one is a range of its full length. */
export interface AddressRange {
  net: string
  bits: number
}

/** @returns the range of an address or a CIDR, or undefined where it is neither */
export function parseRange(text: string): AddressRange | undefined {
  const [, address = '', length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address)
  if (family === 0) return undefined
  const most = family === 4 ? 32 : 128
  const bits = length === undefined ? most : Number(length)
  if (bits > most) return undefined
  const net = plainAddress(address) as string
  // Written as IPv4 inside IPv6 it means the IPv4 range, since that is how such addresses are compared.
  return { net, bits: family === 6 && isIPv4(net) ? Math.max(0, bits - 96) : bits }
}

/** Whether a plain address lies in one of the ranges. */
export function addressIn(ranges: readonly AddressRange[]): (address: string) => boolean {
  if (ranges.length === 0) return () => false
  const list = new BlockList()
  for (const { net, bits } of ranges) list.addSubnet(net, bits, isIPv4(net) ? 'ipv4' : 'ipv6')
  return address => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

/**
 * The address of whoever asked: the peer's, or, while that is a proxy we trust, the one it says it got the request
 * from. So it is the rightmost entry of `X-Forwarded-For` that no trusted proxy has; what stands left of it was written
 * by the client and could be anything.
 * @param peer address of the socket
 * @param forwardedFor the header, several of them joined by commas
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  isTrusted: (address: string) => boolean,
): string {
  let client = plainAddress(peer) ?? peer
  // Whoever is not believed does not make us read a long header, either.
  if (forwardedFor === undefined || !isTrusted(client)) return client
  const hops = forwardedFor.split(',')
  while (isTrusted(client)) {
    const before = plainAddress(withoutPort(hops.pop() ?? ''))
    // Nobody before it, or no address: the proxy is as far back as we can see.
    if (before === undefined) return client
    client = before
  }
  return client
}

/**
 * The addresses that one client has at its disposal, under one name: a single IPv4 address, but a whole /64 of IPv6,
 * which is what a connection at home is given.
 */
export function addressBlock(address: string): string {
  if (!address.includes(':')) return address
  const network = groupsOf(address).slice(0, 4)
  return `${network.map(group => group.toString(16)).join(':')}::/64`
}

/** Without zone, and IPv4 inside IPv6 as IPv4; undefined where it is no IP address. */
function plainAddress(text: string): string | undefined {
  const [address = ''] = text.split('%', 1)
  const family = isIP(address)
  if (family === 0) return undefined
  if (family === 4 || !/^[:0]+ffff:/i.test(address)) return address
  const [a, b, c, d, e, f, high = 0, low = 0] = groupsOf(address)
  if ([a, b, c, d, e].some(group => group !== 0) || f !== 0xffff) return address
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const text = hop.trim()
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? []
  return bracketed ?? dotted ?? text
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const left = groupsIn(head)
  if (tail === undefined) return left
  const right = groupsIn(tail)
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right]
}

function groupsIn(part: string): number[] {
  if (part === '') return []
  return part.split(':').flatMap(group => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}
