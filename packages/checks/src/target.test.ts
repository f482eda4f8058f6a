import { describe, expect, test } from 'vitest'
import { parseHost, parseHostPort, parseUrl, targetMessage } from './target.ts'

describe('a host', () => {
  test.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.com.', 'example.com'],
    ['localhost', 'localhost'],
    ['db_1.internal', 'db_1.internal'],
    ['_dmarc.example.com', '_dmarc.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['1.0.0.127.in-addr.arpa', '1.0.0.127.in-addr.arpa'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '::1'],
    ['2001:DB8::1', '2001:db8::1'],
  ])('%s is read as %s', (text, host) => {
    expect(parseHost(text).host).toBe(host)
  })

  test.each([
    ['', 'must not be empty'],
    ['-f', 'must not start with "-"'],
    ['--help', 'must not start with "-"'],
    ['a b', 'must not contain spaces or control characters'],
    ['a\u0000b', 'must not contain spaces or control characters'],
    ['a\nb', 'must not contain spaces or control characters'],
    ['exam\u200bple.com', 'must not contain spaces or control characters'],
    ['https://example.com', 'must be a host name or address, without a scheme such as https://'],
    ['example.com/path', 'must be a host name or address, such as example.com'],
    ['example.com:80', 'must be a host name or address, such as example.com'],
    ['user@example.com', 'must be a host name or address, such as example.com'],
    ['fe80::1%eth0', 'must be a host name or address, such as example.com'],
    ['a..b', 'must be a valid host name or address, such as example.com or 192.0.2.1'],
    ['ex*mple.com', 'must be a valid host name or address, such as example.com or 192.0.2.1'],
    ['$(reboot)', 'must be a valid host name or address, such as example.com or 192.0.2.1'],
    [`${'x'.repeat(64)}.com`, 'must be a valid host name or address, such as example.com or 192.0.2.1'],
    ['2130706433', 'must be a host name, or an IP address written in full, such as 192.0.2.1'],
    ['127.1', 'must be a host name, or an IP address written in full, such as 192.0.2.1'],
    ['0x7f.1', 'must be a host name, or an IP address written in full, such as 192.0.2.1'],
    ['0177.0.0.1', 'must be a host name, or an IP address written in full, such as 192.0.2.1'],
    ['256.1.1.1', 'must be a host name, or an IP address written in full, such as 192.0.2.1'],
  ])('%j is refused: %s', (text, message) => {
    expect(targetMessage(() => parseHost(text))).toBe(message)
  })
})

describe('host:port', () => {
  test.each([
    ['example.com:5432', 'example.com', 5432],
    ['[::1]:53', '::1', 53],
    ['127.0.0.1:65535', '127.0.0.1', 65_535],
  ])('%s is read', (text, host, port) => {
    expect(parseHostPort(text)).toMatchObject({ host, port })
  })

  test.each([
    ['example.com', 'example.com'],
    ['::1', '::1'],
    ['[::1]', '::1'],
  ])('%s takes the default port', (text, host) => {
    expect(parseHostPort(text, 443)).toMatchObject({ host, port: 443 })
  })

  test.each([
    ['example.com', 'must be host:port, such as example.com:5432'],
    ['example.com:', 'must have a port between 1 and 65535, such as example.com:5432'],
    ['example.com:0', 'must have a port between 1 and 65535, such as example.com:5432'],
    ['example.com:65536', 'must have a port between 1 and 65535, such as example.com:5432'],
    ['example.com:http', 'must have a port between 1 and 65535, such as example.com:5432'],
    ['tcp://example.com:1', 'must be host:port, without a scheme such as https://'],
    ['1:2:3:80', 'must have its IPv6 address in brackets, such as [2001:db8::1]:5432'],
    ['-x:80', 'must not start with "-"'],
    [':80', 'must not be empty'],
  ])('%j is refused: %s', (text, message) => {
    expect(targetMessage(() => parseHostPort(text))).toBe(message)
  })
})

describe('a URL', () => {
  test.each([
    ['http://example.com', 'http://example.com/'],
    ['HTTPS://Example.com:8443/a?b=c', 'https://example.com:8443/a?b=c'],
    ['http://[::1]:8080/', 'http://[::1]:8080/'],
    ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
    ['http://user:secret@example.com/', 'http://user:secret@example.com/'],
  ])('%s is read', (text, href) => {
    expect(parseUrl(text, ['http', 'https']).href).toBe(href)
  })

  test.each([
    'example.com',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://',
    'http:///path',
    'http:example.com',
    'http://?q',
    'https://exa mple.com/',
    'https://example.com:99999/',
    'https://example.com:0/',
    'https://a..b/',
    '-http://example.com',
  ])('%s is refused', text => {
    expect(targetMessage(() => parseUrl(text, ['http', 'https']))).toMatch(/^must /)
  })

  test('http:// is refused where https:// is demanded', () => {
    expect(targetMessage(() => parseUrl('http://example.com', ['https']))).toBe(
      'must be a URL that starts with https:// and names a host',
    )
  })
})
