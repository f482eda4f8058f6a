import { describe, expect, test } from 'vitest'
import { mayUse, parseAllowedOrigin } from './origin.ts'

describe('an entry is kept in one spelling', () => {
  test.each([
    ['https://shop.example.com', 'https://shop.example.com'],
    ['HTTPS://Shop.Example.com:443/', 'https://shop.example.com'],
    ['http://shop.example.com:80', 'http://shop.example.com'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://*.Example.com', 'https://*.example.com'],
    ['https://*.example.com:8443', 'https://*.example.com:8443'],
    ['https://*.bücher.example', 'https://*.xn--bcher-kva.example'],
  ])('%s', (text, origin) => expect(parseAllowedOrigin(text)).toBe(origin))
})

test.each([
  '',
  '*',
  'null',
  'example.com',
  '//example.com',
  'https://',
  'https://*',
  'https://*.',
  'https://*.com',
  'https://*.127.0.0.1',
  'https://*.[::1]',
  'https://*.*.example.com',
  'https://shop.*.com',
  'https://*example.com',
  'https://example.com/shop',
  'https://example.com?x',
  'https://example.com#x',
  'https://me:sesame@example.com',
  'https://example.com:99999',
  'https://exa mple.com',
  'https:\\\\example.com',
  ' https://example.com',
  'https://example.com\n',
  'ftp://example.com',
  'file:///',
  'javascript:alert(1)',
])('%j is no origin', text => expect(parseAllowedOrigin(text)).toBeUndefined())

describe('which pages may send', () => {
  const list = ['https://example.com', 'http://localhost:3000', 'https://*.shop.example', 'https://*.port.example:8443']

  test.each([
    'https://example.com',
    'https://EXAMPLE.com',
    'https://example.com:443',
    'http://localhost:3000',
    'https://a.shop.example',
    'https://a.b.shop.example',
    'https://A.Shop.Example',
    'https://a.port.example:8443',
  ])('%s may', origin => expect(mayUse(list, origin)).toBe(true))

  test.each([
    ['the scheme counts', 'http://example.com'],
    ['the port counts', 'https://example.com:8443'],
    ['the port counts', 'http://localhost:3001'],
    ['the port counts', 'http://localhost'],
    ['a subdomain needs a star', 'https://www.example.com'],
    ['a star is not the domain itself', 'https://shop.example'],
    ['a star stands before a dot', 'https://evilshop.example'],
    ['a star keeps the scheme', 'http://a.shop.example'],
    ['a star keeps the port', 'https://a.shop.example:8443'],
    ['a star keeps the port', 'https://a.port.example'],
    ['no substring', 'https://evil-example.com'],
    ['no prefix', 'https://example.com.evil.io'],
    ['no suffix', 'https://evil.io/https://example.com'],
    ['no suffix', 'https://evil.io#.shop.example'],
    ['no user name', 'https://example.com@evil.io'],
    ['no dot at the end', 'https://example.com.'],
    ['an opaque origin', 'null'],
    ['two origins', 'https://example.com, https://evil.io'],
    ['two origins', 'https://example.com https://evil.io'],
    ['nothing', ''],
    ['a star is no origin', 'https://*.shop.example'],
    ['no origin at all', undefined],
  ])('%s: %s may not', (_, origin) => expect(mayUse(list, origin)).toBe(false))

  test('with an empty list any may, and nobody in particular', () => {
    for (const origin of ['https://evil.io', 'null', 'nonsense', undefined]) expect(mayUse([], origin)).toBe(true)
  })
})
