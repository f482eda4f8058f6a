import { BlockList, isIP } from 'node:net'

/** What a check may connect to. Link-local and cloud metadata addresses are refused whatever it says. */
export interface AddressPolicy {
  /** `deny` also refuses loopback, private and other special addresses: for targets that strangers choose. */
  private: 'allow' | 'deny'
}

// Nobody monitors these: "this network", link-local (with the metadata services of most clouds), the metadata
// services of Azure, Alibaba and Oracle, multicast, broadcast.
const never4 = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '224.0.0.0/4',
  '255.255.255.255/32',
]
// Unspecified, link-local, multicast, the metadata services of AWS and Google.
const never6 = ['::/128', 'fe80::/10', 'ff00::/8', 'fd00:ec2::254/128', 'fd20:ce::254/128']

const special4 = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '240.0.0.0/4',
]
// Loopback and v4-compatible, v4-translated, local NAT64, discard, Teredo, ORCHID, documentation, ULA, site-local.
const special6 = [
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:20::/28',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fec0::/10',
]

// The same addresses come round again and again, and a list is walked through by code that has to be called for it.
const maxRemembered = 1024
const judged = { allow: new Map<string, boolean>(), deny: new Map<string, boolean>() }

const never = listOf(never4, never6)
const denied = listOf([...never4, ...special4], [...never6, ...special6])

/**
 * Whether a check (or a webhook) must not connect to this address. Ask about the address that is connected to, after
 * resolving, never about what a person typed. Anything that is not an IP address is refused.
 */
export function isRefused(ip: string, policy: AddressPolicy): boolean {
  const known = judged[policy.private]
  const before = known.get(ip)
  if (before !== undefined) return before
  const [address = ''] = ip.split('%')
  const family = isIP(address)
  const list = policy.private === 'deny' ? denied : never
  const refused = family === 0 || list.check(address, family === 4 ? 'ipv4' : 'ipv6')
  if (known.size >= maxRemembered) known.clear()
  known.set(ip, refused)
  return refused
}

function listOf(ranges4: string[], ranges6: string[]): BlockList {
  const list = new BlockList()
  for (const [net, bits] of [...ranges4, ...ranges6, ...ranges4.flatMap(embeddings)].map(split)) {
    list.addSubnet(net, bits, net.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}

// BlockList sees through ::ffff:a.b.c.d by itself, but not through these ways of writing a v4 address inside a v6 one:
// v4-compatible, v4-translated, NAT64, local NAT64, 6to4. Of the v4-compatible ones 0.0.0.0/8 stays out: that is ::1.
function embeddings(range: string): string[] {
  const [net, bits] = split(range)
  const [a = 0, b = 0, c = 0, d = 0] = net.split('.').map(Number)
  const high = (a * 256 + b).toString(16)
  const low = (c * 256 + d).toString(16)
  const prefixes = ['::ffff:0:', '64:ff9b::', '64:ff9b:1::', ...(a === 0 ? [] : ['::'])]
  return [...prefixes.map(prefix => `${prefix}${high}:${low}/${96 + bits}`), `2002:${high}:${low}::/${16 + bits}`]
}

function split(range: string): [net: string, bits: number] {
  const [net = '', bits = ''] = range.split('/')
  return [net, Number(bits)]
}
