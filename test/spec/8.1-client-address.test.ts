import { afterEach, describe, expect, test } from 'vitest'
import { ask } from '../people.ts'
import { expectHeaders, expectRefused, from, type LimitedWorld, left, limitedWorld, statuses } from '../rate-limits.ts'

let limited: LimitedWorld
afterEach(() => limited.world.close())

async function serve(limits: Record<string, number | string>) {
  limited = await limitedWorld(limits)
  return limited
}

describe('without a credential', () => {
  test('an address may ask so often in an hour, whatever it asks for', async () => {
    const { anyone, owner, world } = await serve({ RATE_LIMIT_ANONYMOUS_HOUR: 8 })
    const asked = [
      await anyone('/api/status/nobody'),
      await anyone('/api/status/nothing'),
      await anyone('/v1/status/nothing'),
      await anyone('/v1/monitors'),
      await anyone('/v1/monitors', { authorization: 'Bearer wp_api_guessed' }),
      await anyone('/v1/probe/get-checks', { authorization: 'Bearer wp_probe_guessed' }),
      await anyone('/nowhere'),
      await ask(world.url, 'PUT', '/v1/team', 'x'),
    ]
    expect(statuses(asked)).toEqual([404, 404, 404, 401, 401, 401, 404, 405])
    for (const [index, answer] of asked.entries()) expectHeaders(answer, 8, 7 - index, 3600)
    expectRefused(await anyone('/api/status/nobody'))
    expectRefused(await anyone('/api/status/nothing'))
    expectRefused(await anyone('/v1/monitors', { authorization: 'Bearer wp_api_guessed' }))
    expectRefused(await anyone('/nowhere'))
    // A good token is not held responsible for its address.
    expect((await owner.get('/v1/team')).status).toBe(200)
  })

  test('preflights, health and pages for people are not counted', async () => {
    const { anyone, owner, world } = await serve({
      RATE_LIMIT_ANONYMOUS_HOUR: 1,
      RATE_LIMIT_TOKEN_MINUTE: 1,
      RATE_LIMIT_TOKEN_HOUR: 1,
    })
    const preflight = { origin: 'https://app.example', 'access-control-request-method': 'GET' }
    const uncounted = async () => [
      await ask(world.url, 'OPTIONS', '/v1/monitors', undefined, preflight),
      await ask(world.url, 'OPTIONS', '/nowhere', undefined, preflight),
      await owner.ask('OPTIONS', '/v1/monitors'),
      await anyone('/healthz'),
      await anyone('/readyz'),
      await anyone('/'),
      await anyone('/status/acme'),
      await anyone('/status/nothing'),
    ]
    const page = { slug: 'acme', title: 'Acme' }
    expect((await owner.post('/v1/status-pages', page)).status).toBe(201)
    for (let round = 0; round < 2; round++) {
      const answers = await uncounted()
      expect(statuses(answers)).toEqual([204, 204, 204, 200, 200, 200, 200, 404])
      for (const answer of answers) expect(left(answer)).toBeNull()
    }
    const counted = await anyone('/api/status/acme')
    expect([counted.status, left(counted)]).toEqual([200, '0'])
    expect((await anyone('/api/status/acme')).status).toBe(429)
    expect(statuses(await uncounted())).toEqual([204, 204, 204, 200, 200, 200, 200, 404])
  })

  test('HEAD is counted as GET is', async () => {
    const { world } = await serve({ RATE_LIMIT_ANONYMOUS_HOUR: 2 })
    expect(left(await ask(world.url, 'HEAD', '/api/status/nobody'))).toBe('1')
    expect(left(await ask(world.url, 'HEAD', '/api/status/nothing'))).toBe('0')
    expect((await ask(world.url, 'HEAD', '/api/status/nobody')).status).toBe(429)
  })
})

describe('the address', () => {
  test('is what a trusted proxy says: the rightmost entry that is no proxy itself', async () => {
    const { anyone } = await serve({ RATE_LIMIT_ANONYMOUS_HOUR: 2, TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.0/8' })
    const at = async (header: string) => left(await anyone('/api/status/nobody', from(header)))
    expect(await at('203.0.113.1')).toBe('1')
    expect(await at('6.6.6.6, 203.0.113.1, 10.0.0.7')).toBe('0')
    expect(await at('203.0.113.2')).toBe('1')
    expect(await at('::ffff:203.0.113.2')).toBe('0')
    // One connection at home has a whole /64.
    expect(await at('2001:db8:1:2::1')).toBe('1')
    expect(await at('2001:db8:1:2:ffff::2')).toBe('0')
    expect(await at('2001:db8:1:3::1')).toBe('1')
    expectRefused(await anyone('/api/status/nobody', from('6.6.6.6, 203.0.113.1')))
    // No other header is believed, not even from the proxy.
    const others = { forwarded: 'for=203.0.113.77', 'x-real-ip': '203.0.113.77' }
    expectRefused(await anyone('/api/status/nobody', { ...from('203.0.113.1'), ...others }))
    expect(left(await anyone('/api/status/nobody', others))).toBe('1')
    expect(left(await anyone('/api/status/nobody'))).toBe('0')
  })

  test('is the peer where it is not trusted, and the header is warned about once', async () => {
    const { anyone, server } = await serve({ RATE_LIMIT_ANONYMOUS_HOUR: 3, TRUSTED_PROXIES: '192.0.2.1' })
    const answers = [
      await anyone('/api/status/nobody', from('203.0.113.1')),
      await anyone('/api/status/nobody', from('192.0.2.1')),
      await anyone('/api/status/nobody', { forwarded: 'for=203.0.113.9' }),
    ]
    expect(answers.map(left)).toEqual(['2', '1', '0'])
    expectRefused(await anyone('/api/status/nobody', from('203.0.113.2')))
    await server.stop()
    expect(server.output.match(/WATCHPOST_TRUSTED_PROXIES/g)).toHaveLength(1)
  })

  test('is warned about for nobody without such a header', async () => {
    const { anyone, server } = await serve({ RATE_LIMIT_ANONYMOUS_HOUR: 3 })
    await anyone('/api/status/nobody')
    await server.stop()
    expect(server.output).not.toContain('WATCHPOST_TRUSTED_PROXIES')
  })
})
