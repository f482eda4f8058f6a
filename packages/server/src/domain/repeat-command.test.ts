import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { repeatCommand } from './repeat-command.ts'
import { quoted } from './shell.ts'

const monitor = (type: string, target: string, options: object = {}, more: object = {}) =>
  repeatCommand({ type, target, method: 'get', timeout: 10, ssl_verify: true, options: options as never, ...more })

test.each<[string, string | null, string | null]>([
  ['http', monitor('http', 'http://a.example/'), 'curl -sS -i --max-time 10 -L --max-redirs 5 http://a.example/'],
  [
    'https with everything',
    monitor(
      'https',
      "https://a.example/it's?x=1&api_key=s3cret",
      {
        headers: { Accept: 'text/html', 'X-Api-Key': 's3cret' },
        auth: { type: 'basic', username: 'ada', password: 's3cret' },
        body: '{"user":"ada","password":"s3cret","n":1}',
        follow_redirects: false,
        ip_family: 6,
        min_tls_version: 'TLSv1.3',
      },
      { method: 'post', ssl_verify: false },
    ),
    "curl -sS -i --max-time 10 -X POST -k -6 --tlsv1.3 -H 'Accept: text/html' -H 'X-Api-Key: ***' -u 'ada:***' " +
      `--data-raw '{"user":"ada","password":"***","n":1}' 'https://a.example/it'\\''s?x=1&api_key=***'`,
  ],
  [
    'a bearer, and a password in the address',
    monitor('https', 'https://ada:s3cret@a.example/', { auth: { type: 'bearer', token: 's3cret' } }),
    "curl -sS -i --max-time 10 -L --max-redirs 5 -H 'Authorization: Bearer ***' 'https://***@a.example/'",
  ],
  [
    'a form',
    monitor('http', 'http://a/', { body: 'user=ada&token=s3cret' }),
    expect.stringContaining("'user=ada&token=***'"),
  ],
  ['tcp', monitor('tcp', 'a.example:25'), 'nc -vz -w 10 a.example 25'],
  ['tcp at an address', monitor('tcp', '[2001:db8::1]:25'), 'nc -vz -w 10 2001:db8::1 25'],
  ['tcp that says something', monitor('tcp', 'a:25', { send: 'QUIT\r\n' }), "printf %s 'QUIT\r\n' | nc -v -w 10 a 25"],
  [
    'tcp with tls',
    monitor('tcp', 'a.example:465', { tls: true }),
    'timeout 10 openssl s_client -quiet -connect a.example:465 -servername a.example </dev/null',
  ],
  [
    'ssl',
    monitor('ssl', 'a.example'),
    'timeout 10 openssl s_client -showcerts -verify_return_error -connect a.example:443 -servername a.example </dev/null',
  ],
  [
    'ssl by address and name',
    monitor('ssl', '::1', { port: 8443, servername: 'b.example', allow_self_signed: true }),
    "timeout 10 openssl s_client -showcerts -connect '[::1]:8443' -servername b.example </dev/null",
  ],
  ['dns', monitor('dns', 'a.example'), 'dig +time=10 +tries=1 a.example A'],
  [
    'dns at a resolver',
    monitor('dns', 'a.example', { record_type: 'MX', resolver: '127.0.0.1:5353', transport: 'tcp' }),
    'dig +time=10 +tries=1 +tcp @127.0.0.1 -p 5353 a.example MX',
  ],
  ['dns backwards', monitor('dns', '192.0.2.1', { record_type: 'PTR' }), 'dig +time=10 +tries=1 -x 192.0.2.1'],
  ['ping', monitor('ping', 'a.example', { count: 5, size: 100 }), 'ping -c 5 -w 10 -s 100 a.example'],
  ['a server', monitor('server', 'web-1'), null],
])('%s', (_, command, expected) => {
  expect(command).toEqual(expected)
  expect(command ?? '').not.toContain('s3cret')
})

test('a shell reads a word as it was', () => {
  for (const word of ["it's", '$(id) `id` "x"', 'a\nb', '*', '; rm', '\\', "''", '!!']) {
    expect(execFileSync('sh', ['-c', `printf %s ${quoted(word)}`], { encoding: 'utf8' })).toBe(word)
  }
})
