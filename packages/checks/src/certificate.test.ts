import { beforeAll, describe, expect, test } from 'vitest'
import { type Mistake, sent, trustRoot } from './testing/authority.ts'
import { makeEllipticCertificate } from './testing/certificates.ts'
import { run, soon } from './testing/run.ts'
import { httpServer, httpsServer, rawServer, tcpServer, tlsServer } from './testing/servers.ts'

beforeAll(trustRoot)

const mistakes: [Mistake, string, RegExp][] = [
  ['expired', 'tls_expired', /^The certificate of 127\.0\.0\.1 expired on \d{4}-\d\d-\d\d\.$/],
  ['notYetValid', 'tls_not_yet_valid', /is valid only from \d{4}-\d\d-\d\d\.$/],
  ['wrongHost', 'tls_wrong_host', /^The certificate is not for 127\.0\.0\.1 but for DNS:example\.com/],
  ['selfSigned', 'tls_self_signed', /^The certificate of 127\.0\.0\.1 is self-signed\.$/],
  ['unknownIssuer', 'tls_untrusted', /comes from "Unknown root", which is not trusted here\.$/],
  ['unknownRoot', 'tls_untrusted', /comes from "Unknown root", which is not trusted here\.$/],
  ['missingIntermediate', 'tls_incomplete_chain', /does not send the intermediate certificate "Test intermediate"/],
  ['missingIntermediateWithAddress', 'tls_incomplete_chain', /does not send the intermediate certificate/],
  ['expiredIntermediate', 'tls_expired', /depends on "Old intermediate", which is not valid now\.$/],
  ['weakKey', 'tls_weak', /has a key of 1024 bits; it needs 2048\.$/],
  ['weakSignature', 'tls_weak', /is signed with sha1WithRSAEncryption, which is broken\.$/],
]

describe('https', () => {
  test.each(['good', 'withRoot'] as const)('takes a certificate that is %s', async mistake => {
    const outcome = await run('https', `https://${await httpsServer(sent[mistake])}/`)
    expect(outcome).toMatchObject({ status: 'online', details: { tls: { protocol: 'TLSv1.3', days_left: 89 } } })
    expect(outcome.timings).toHaveProperty('tls_ms')
  })

  test('takes it under the name that was asked for', async () => {
    const [, port] = (await httpsServer(sent.good)).split(':')
    expect(await run('https', `https://localhost:${port}/`)).toMatchObject({ status: 'online' })
  })

  test.each(mistakes)('says of a certificate that is %s: %s', async (mistake, kind, message) => {
    let hasAsked = false
    const address = await httpsServer(sent[mistake], (_, response) => {
      hasAsked = true
      response.end()
    })
    const outcome = await run('https', `https://${address}/`, { auth: { type: 'bearer', token: 'swordfish' } })
    expect(outcome).toMatchObject({ status: 'offline', error_kind: kind })
    expect(outcome.error_message).toMatch(message)
    // A token must not go to a server that nobody can vouch for.
    expect(hasAsked).toBe(false)
  })

  test.each(mistakes)('without verification takes a certificate that is %s', async mistake => {
    const address = await httpsServer(sent[mistake])
    expect(await run('https', `https://${address}/`, {}, { ssl_verify: false })).toMatchObject({ status: 'online' })
  })

  test('without verification takes TLS of any age, unless one is demanded', async () => {
    const address = await httpsServer({ ...sent.good, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })
    expect(await run('https', `https://${address}/`, {}, { ssl_verify: false })).toMatchObject({ status: 'online' })
    expect(await run('https', `https://${address}/`)).toMatchObject({
      error_kind: 'tls_version',
      error_message: `${address} does not speak TLS 1.2 or newer.`,
    })
  })

  test('refuses a server older than the TLS demanded', async () => {
    const address = await httpsServer({ ...sent.good, maxVersion: 'TLSv1.2' })
    expect(await run('https', `https://${address}/`)).toMatchObject({ status: 'online' })
    const outcome = await run('https', `https://${address}/`, { min_tls_version: 'TLSv1.3' })
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'tls_version' })
  })

  test('says that a server does not speak TLS', async () => {
    const address = await rawServer('HTTP/1.1 400 Bad Request\r\n\r\n')
    const outcome = await run('https', `https://${address}/`)
    expect(outcome).toMatchObject({ error_kind: 'tls_handshake', error_message: `${address} does not speak TLS.` })
  })

  test.each([
    ['never finishes', () => {}],
    ['ends', (socket: { end(): void }) => void socket.end()],
  ])('says that a handshake %s', async (_, talk) => {
    const address = await tcpServer(talk)
    const outcome = await run('https', `https://${address}/`, {}, soon)
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'tls_handshake' })
  })

  test('does not go on to http when redirected there, unless allowed', async () => {
    const plain = await httpServer((_, response) => response.end())
    const address = await httpsServer(sent.good, (_, response) => {
      response.writeHead(301, { location: `http://${plain}/` }).end()
    })
    expect(await run('https', `https://${address}/`)).toMatchObject({ status: 'offline', error_kind: 'http_downgrade' })
    expect(await run('https', `https://${address}/`, { allow_downgrade: true })).toMatchObject({ status: 'online' })
  })

  test('connects to no address that the policy refuses', async () => {
    const address = await httpsServer(sent.good)
    const outcome = await run('https', `https://${address}/`, {}, { policy: { private: 'deny' } })
    expect(outcome).toMatchObject({ error_kind: 'address_refused' })
  })
})

describe('ssl', () => {
  test.each(mistakes)('says of a certificate that is %s: %s', async (mistake, kind, message) => {
    const outcome = await run('ssl', await tlsServer(sent[mistake]))
    expect(outcome).toMatchObject({ status: 'offline', error_kind: kind })
    expect(outcome.error_message).toMatch(message)
    expect(outcome.response_time_ms).not.toBeNull()
    expect(outcome.details).toHaveProperty('fingerprint256')
  })

  test('reads elliptic certificates', async () => {
    const address = await tlsServer(makeEllipticCertificate('127.0.0.1'))
    const outcome = await run('ssl', address, { allow_self_signed: true })
    expect(outcome).toMatchObject({ status: 'online', details: { key_type: 'ec', key_bits: 256 } })
  })
})

describe('tcp with TLS', () => {
  test.each(mistakes)('says of a certificate that is %s: %s', async (mistake, kind) => {
    expect(await run('tcp', await tlsServer(sent[mistake]), { tls: true })).toMatchObject({ error_kind: kind })
  })
})
