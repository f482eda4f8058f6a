import { createServer } from 'node:tls'
import { beforeAll, expect, test } from 'vitest'
import { sent, trustRoot } from './testing/authority.ts'
import type { Pair } from './testing/certificates.ts'
import { ocspAnswer } from './testing/ocsp.ts'
import { run } from './testing/run.ts'
import { listen, tlsServer } from './testing/servers.ts'

beforeAll(trustRoot)

function stapling(pair: Pair, answer: Buffer): Promise<string> {
  const server = createServer(pair)
  server.on('OCSPRequest', (_: Buffer, __: Buffer, done: (error: Error | null, answer: Buffer) => void) =>
    done(null, answer),
  )
  return listen(server)
}

test.each([
  ['good', null],
  ['unknown', null],
  ['revoked', 'tls_untrusted'],
] as const)('a stapled answer that says %s is shown', async (status, kind) => {
  const outcome = await run('ssl', await stapling(sent.good, ocspAnswer(sent.good, status)))
  expect(outcome).toMatchObject({
    status: kind ? 'offline' : 'online',
    error_kind: kind,
    details: { ocsp: { status, next_update: expect.stringMatching(/^\d{4}-.*Z$/) } },
  })
  if (kind) expect(outcome.error_message).toMatch(/was revoked by its authority on \d{4}-\d\d-\d\d\.$/)
})

test('a revoked certificate is a failure whoever vouches for it', async () => {
  const address = await stapling(sent.unknownIssuer, ocspAnswer(sent.unknownIssuer, 'revoked'))
  expect(await run('ssl', address, {}, { ssl_verify: false })).toMatchObject({ error_kind: 'tls_untrusted' })
})

test.each([
  ['about another certificate', ocspAnswer(sent.wrongHost, 'revoked')],
  ['that is none', Buffer.from('garbage')],
  ['that breaks off', ocspAnswer(sent.good, 'revoked').subarray(0, 60)],
])('an answer %s says nothing', async (_, answer) => {
  const outcome = await run('ssl', await stapling(sent.good, answer))
  expect(outcome).toMatchObject({ status: 'online' })
  expect(outcome.details).not.toHaveProperty('ocsp')
})

test('a certificate that promises a staple needs one', async () => {
  const outcome = await run('ssl', await tlsServer(sent.mustStaple))
  expect(outcome).toMatchObject({ status: 'offline', error_kind: 'tls_untrusted' })
  expect(outcome.error_message).toMatch(/\(must-staple\), and the server sends none\.$/)
  const stapled = await run('ssl', await stapling(sent.mustStaple, ocspAnswer(sent.mustStaple, 'good')))
  expect(stapled).toMatchObject({ status: 'online' })
})
