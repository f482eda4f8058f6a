import { describe, expect, test } from 'vitest'
import { isRefused } from './guard.ts'

const allow = { private: 'allow' } as const
const deny = { private: 'deny' } as const

describe('addresses that nobody may look at', () => {
  test.each([
    ['the metadata service of most clouds', '169.254.169.254'],
    ['the metadata service of ECS', '169.254.170.2'],
    ['the metadata service of Azure', '168.63.129.16'],
    ['the metadata service of Alibaba', '100.100.100.200'],
    ['the metadata service of AWS over IPv6', 'fd00:ec2::254'],
    ['link-local', '169.254.1.1'],
    ['link-local IPv6', 'fe80::1'],
    ['link-local IPv6 with a zone', 'fe80::1%eth0'],
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['unspecified IPv6', '::'],
    ['multicast', '224.0.0.1'],
    ['multicast IPv6', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['v4-mapped metadata', '::ffff:169.254.169.254'],
    ['v4-mapped metadata in hexadecimal', '::ffff:a9fe:a9fe'],
    ['v4-compatible metadata', '::a9fe:a9fe'],
    ['NAT64 metadata', '64:ff9b::a9fe:a9fe'],
    ['local NAT64 metadata', '64:ff9b:1::a9fe:a9fe'],
    ['6to4 metadata', '2002:a9fe:a9fe::1'],
    ['v4-translated metadata', '::ffff:0:a9fe:a9fe'],
    ['a name', 'localhost'],
    ['an odd spelling', '2130706433'],
    ['nothing', ''],
  ])('%s: %s', (_, ip) => {
    expect(isRefused(ip, allow)).toBe(true)
    expect(isRefused(ip, deny)).toBe(true)
  })
})

describe("addresses for the owner's own probe only", () => {
  test.each([
    ['loopback', '127.0.0.1'],
    ['the end of loopback', '127.255.255.254'],
    ['loopback IPv6', '::1'],
    ['private', '10.0.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['IETF protocol assignments', '192.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '203.0.113.9'],
    ['6to4 relay', '192.88.99.1'],
    ['benchmarking', '198.19.0.1'],
    ['reserved', '240.0.0.1'],
    ['unique local', 'fd12:3456::1'],
    ['site-local', 'fec0::1'],
    ['documentation IPv6', '2001:db8::1'],
    ['Teredo', '2001::1'],
    ['v4-mapped loopback', '::ffff:127.0.0.1'],
    ['NAT64 of a private address', '64:ff9b::a00:1'],
    ['6to4 of loopback', '2002:7f00:1::'],
  ])('%s: %s', (_, ip) => {
    expect(isRefused(ip, allow)).toBe(false)
    expect(isRefused(ip, deny)).toBe(true)
  })
})

test.each(['1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '64:ff9b::101:101', '2002:101:101::1'])(
  'the public address %s is open to everybody',
  ip => {
    expect(isRefused(ip, allow)).toBe(false)
    expect(isRefused(ip, deny)).toBe(false)
  },
)
