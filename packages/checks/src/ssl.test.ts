import { beforeAll, expect, test } from 'vitest'
import { sent, trustRoot } from './testing/authority.ts'
import { run } from './testing/run.ts'
import { closedPort, rawServer, tlsServer } from './testing/servers.ts'

beforeAll(trustRoot)

test('describes a good certificate', async () => {
  const address = await tlsServer(sent.good)
  const outcome = await run('ssl', address)
  expect(outcome).toMatchObject({
    status: 'online',
    error_kind: null,
    details: {
      address: '127.0.0.1',
      port: Number(address.split(':')[1]),
      protocol: 'TLSv1.3',
      cipher: expect.stringMatching(/^TLS_/),
      subject: 'CN=127.0.0.1, O=Watchpost Tests',
      issuer: 'CN=Test intermediate, O=Watchpost Tests',
      alternative_names: ['IP Address:127.0.0.1', 'DNS:localhost'],
      valid_from: expect.stringMatching(/^\d{4}-.*Z$/),
      valid_to: expect.stringMatching(/^\d{4}-.*Z$/),
      days_left: 89,
      fingerprint256: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
      key_type: 'rsa',
      key_bits: 2048,
      signature: 'sha256WithRSAEncryption',
      chain_length: 2,
    },
  })
})

test('takes the port from the options where the target names none', async () => {
  const port = Number((await tlsServer(sent.good)).split(':')[1])
  expect(await run('ssl', '127.0.0.1', { port })).toMatchObject({ status: 'online', details: { port } })
})

test.each([
  ['has enough days left', { min_days_left: 5 }, null],
  ['has too few days left', {}, 'tls_expires_soon'],
  ['comes from the issuer expected', { min_days_left: 0, expected_issuer: 'test ROOT' }, null],
  ['comes from another issuer', { min_days_left: 0, expected_issuer: "Let's Encrypt" }, 'tls_issuer'],
  ['has a smaller key than demanded', { min_days_left: 0, min_key_bits: 4096 }, 'tls_weak'],
])('a certificate %s: %j', async (_, options, kind) => {
  const outcome = await run('ssl', await tlsServer(sent.expiresSoon), options)
  expect(outcome).toMatchObject({ status: kind ? 'offline' : 'online', error_kind: kind, details: { days_left: 5 } })
})

test('a self-signed certificate may be allowed, but for its host only', async () => {
  const port = Number((await tlsServer(sent.selfSigned)).split(':')[1])
  const options = { port, allow_self_signed: true }
  expect(await run('ssl', '127.0.0.1', options)).toMatchObject({ status: 'online' })
  const other = await run('ssl', '127.0.0.1', { ...options, servername: 'example.com' })
  expect(other).toMatchObject({ error_kind: 'tls_wrong_host' })
})

test('servername is asked for and expected', async () => {
  let asked: unknown
  const address = await tlsServer({
    ...sent.wrongHost,
    SNICallback: (name, done) => {
      asked = name
      done(null)
    },
  })
  expect(await run('ssl', address, { servername: 'www.example.com' })).toMatchObject({ status: 'online' })
  expect(asked).toBe('www.example.com')
})

test.each([
  ['wrongHost', null],
  ['unknownIssuer', null],
  ['missingIntermediate', null],
  ['expired', 'tls_expired'],
  ['weakKey', 'tls_weak'],
  ['expiresSoon', 'tls_expires_soon'],
] as const)('without verification a certificate that is %s gives %s', async (mistake, kind) => {
  const outcome = await run('ssl', await tlsServer(sent[mistake]), {}, { ssl_verify: false })
  expect(outcome).toMatchObject({ error_kind: kind })
})

test('a server that is not there, or speaks no TLS', async () => {
  expect(await run('ssl', await closedPort())).toMatchObject({ error_kind: 'connect_refused' })
  expect(await run('ssl', await rawServer('220 mail ESMTP\r\n'))).toMatchObject({ error_kind: 'tls_handshake' })
})
