import type { Socket } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sent, trustRoot } from './testing/authority.ts'
import { run, soon } from './testing/run.ts'
import { tcpServer, tlsServer } from './testing/servers.ts'
import { handshakeFailure } from './tls.ts'

beforeAll(trustRoot)

describe('a handshake', () => {
  test.each<[string, (socket: Socket) => void, RegExp]>([
    ['that never answers', () => {}, /did not finish within 0\.4 s\.$/],
    ['that drips', drip, /did not finish within 0\.4 s\.$/],
    ['that ends at once', socket => void socket.end(), /closed the connection during the TLS handshake\.$/],
    [
      'that is reset',
      socket => void socket.once('data', () => socket.resetAndDestroy()),
      /closed the connection during/,
    ],
    [
      'of a web server',
      socket => void socket.once('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n')),
      /speak TLS\.$/,
    ],
    ['of garbage', socket => void socket.once('data', () => socket.end(Buffer.alloc(200, 0xa5))), /TLS/],
    ['that is refused', alert, /refused the TLS handshake/],
  ])('%s is tls_handshake', async (_, talk, message) => {
    const outcome = await run('ssl', await tcpServer(talk), {}, soon)
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'tls_handshake' })
    expect(outcome.error_message).toMatch(message)
    expect(outcome.timings).toHaveProperty('connect_ms')
  })

  test('with an old version is tls_version', async () => {
    const address = await tlsServer({ ...sent.good, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })
    expect(await run('ssl', address)).toMatchObject({ status: 'offline', error_kind: 'tls_version' })
  })

  test('shows the certificate of a server that then demands one of us', async () => {
    const demanding = { ...sent.good, requestCert: true, rejectUnauthorized: true }
    expect(await run('ssl', await tlsServer(demanding))).toMatchObject({ status: 'online' })
    const spoken = await run('tcp', await tlsServer(demanding), { tls: true, expect: '220' })
    expect(spoken.status).toBe('offline')
  })

  test('that demands a certificate of us says so when it is told', () => {
    const error = Object.assign(new Error('x'), { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' })
    expect(handshakeFailure(error, '127.0.0.1:1', 'TLSv1.2')).toMatchObject({
      kind: 'tls_handshake',
      message: '127.0.0.1:1 refused the TLS handshake: it demands a client certificate.',
    })
  })
})

describe('what a certificate depends on', () => {
  test('is not an old authority beside one that is known', async () => {
    const outcome = await run('ssl', await tlsServer(sent.crossSigned))
    expect(outcome).toMatchObject({ status: 'online', details: { chain_length: 2 } })
  })

  test('is the intermediate that expires first', async () => {
    const outcome = await run('ssl', await tlsServer(sent.expiringIntermediate))
    expect(outcome).toMatchObject({ error_kind: 'tls_expires_soon', details: { days_left: 89 } })
    expect(outcome.error_message).toMatch(/^"Short intermediate", on which .* expires in 5 days; 14 are demanded\.$/)
    expect(await run('ssl', await tlsServer(sent.expiringIntermediate), { min_days_left: 5 })).toMatchObject({
      status: 'online',
    })
  })
})

test.each([
  ['wildcard', 'a.example.test', null],
  ['wildcard', 'a.b.example.test', 'tls_wrong_host'],
  ['wildcard', 'example.test', 'tls_wrong_host'],
  ['wrongHost', '127.0.0.1', 'tls_wrong_host'],
  ['nameInSubject', 'localhost', 'tls_wrong_host'],
] as const)('a certificate %s for %s: %s', async (mistake, servername, kind) => {
  expect(await run('ssl', await tlsServer(sent[mistake]), { servername })).toMatchObject({ error_kind: kind })
})

test('a certificate that was seen before is judged by the time of now', async () => {
  const address = await tlsServer(sent.good)
  expect(await run('ssl', address)).toMatchObject({ status: 'online' })
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 80 * 86_400_000)
  onTestFinished(() => void vi.restoreAllMocks())
  expect(await run('ssl', address)).toMatchObject({ error_kind: 'tls_expires_soon', details: { days_left: 9 } })
})

// A record of 16 KiB, byte by byte.
function drip(socket: Socket): void {
  socket.write(Buffer.from([22, 3, 3, 64, 0, 2, 0, 63, 252]))
  const timer = setInterval(() => socket.write('\0'), 30)
  socket.once('close', () => clearInterval(timer))
}

// A fatal alert: handshake_failure.
function alert(socket: Socket): void {
  socket.once('data', () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, 40])))
}
