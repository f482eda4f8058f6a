import { describe, expect, test } from 'vitest'
import { addressBlock, addressIn, clientAddress, parseRange } from './client-address.ts'

const ranges = (...texts: string[]) => texts.map(text => parseRange(text) ?? { net: text, bits: -1 })
const trusted = addressIn(ranges('10.0.0.0/8', '2001:db8:aaaa::/48', '127.0.0.1'))

describe('who asked', () => {
  test.each([
    ['no proxy', '203.0.113.9', undefined, '203.0.113.9'],
    ['a header from somebody we do not trust', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['one proxy', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['what the client wrote itself stands left and is not believed', '10.0.0.1', '6.6.6.6, 203.0.113.9', '203.0.113.9'],
    ['a chain of proxies', '10.0.0.1', '6.6.6.6, 203.0.113.9, 10.9.9.9,10.0.0.2', '203.0.113.9'],
    ['a client among the proxies', '10.0.0.1', '10.0.0.7', '10.0.0.7'],
    ['a proxy that adds nothing', '10.0.0.1', undefined, '10.0.0.1'],
    ['a proxy that adds nonsense', '10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
    ['an empty header', '10.0.0.1', '', '10.0.0.1'],
    ['a port', '10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['an IPv6 address with a port', '10.0.0.1', '[2001:db8::9]:4711', '2001:db8::9'],
    ['an IPv6 address', '10.0.0.1', '2001:db8::9', '2001:db8::9'],
    ['a proxy on IPv6', '2001:db8:aaaa::1', '203.0.113.9', '203.0.113.9'],
    ['a proxy whose IPv4 address is written as IPv6', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['a client whose IPv4 address is written as IPv6', '::ffff:203.0.113.9', undefined, '203.0.113.9'],
    ['the same in hexadecimal', '0:0:0:0:0:FFFF:cb00:7109', undefined, '203.0.113.9'],
    ['a zone', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['loopback', '127.0.0.1', '127.0.0.1, 198.51.100.1', '198.51.100.1'],
    ['an address that only looks mapped', '::ffff:0:203.0.113.9', undefined, '::ffff:0:203.0.113.9'],
    ['another that does', '::ffff:1', undefined, '::ffff:1'],
  ])('%s', (_, peer, header, client) => {
    expect(clientAddress(peer, header, trusted)).toBe(client)
  })

  test('without trusted proxies no header counts', () => {
    expect(clientAddress('127.0.0.1', '203.0.113.9', addressIn([]))).toBe('127.0.0.1')
  })
})

test('an IPv4 address stands for itself, an IPv6 address for its /64, however it is written', () => {
  expect(addressBlock('203.0.113.9')).toBe('203.0.113.9')
  const same = ['2001:db8:1:2::1', '2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:0db8:0001:0002::', '2001:db8:1:2::1.2.3.4']
  expect(new Set(same.map(addressBlock))).toEqual(new Set(['2001:db8:1:2::/64']))
  expect(addressBlock('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64')
  expect(addressBlock('::1')).toBe('0:0:0:0::/64')
  expect(addressBlock('1::')).toBe('1:0:0:0::/64')
})

describe('ranges', () => {
  test.each([
    ['10.0.0.1', { net: '10.0.0.1', bits: 32 }],
    ['10.0.0.0/8', { net: '10.0.0.0', bits: 8 }],
    ['::1', { net: '::1', bits: 128 }],
    ['2001:db8::/32', { net: '2001:db8::', bits: 32 }],
    ['::ffff:10.0.0.0/104', { net: '10.0.0.0', bits: 8 }],
    ['0.0.0.0/0', { net: '0.0.0.0', bits: 0 }],
  ])('%s', (text, range) => {
    expect(parseRange(text)).toEqual(range)
  })

  test.each([
    '',
    'proxy',
    '10.0.0',
    '10.0.0.1/33',
    '::1/129',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    'fe80::1%eth0',
  ])('%s is none', text => expect(parseRange(text)).toBeUndefined())

  test('an address lies within or without', () => {
    const inside = addressIn(ranges('10.1.0.0/16', '::1'))
    expect(['10.1.255.255', '10.2.0.0', '::1', '::2'].map(inside)).toEqual([true, false, true, false])
  })
})
