import { afterEach, describe, expect, test } from 'vitest'
import { type Answer, ask, castOf, Person } from '../people.ts'
import {
  expectHeaders,
  expectRefused,
  from,
  type LimitedWorld,
  left,
  limitedWorld,
  statuses,
  times,
} from '../rate-limits.ts'

let limited: LimitedWorld
afterEach(() => limited.world.close())

async function serve(limits: Record<string, number | string>) {
  limited = await limitedWorld(limits)
  return limited
}

describe('an API token', () => {
  test('may ask so often in a minute, and is told on every answer, errors included', async () => {
    const { owner } = await serve({ RATE_LIMIT_TOKEN_MINUTE: 5, RATE_LIMIT_TOKEN_HOUR: 100 })
    const asked = [
      await owner.get('/v1/monitors'),
      await owner.get('/v1/monitors/999'),
      await owner.post('/v1/monitors', 'not json'),
      await owner.post('/v1/monitors', { name: 'x' }),
      await owner.ask('POST', '/v1/monitors', 'text', { 'content-type': 'text/plain' }),
    ]
    expect(statuses(asked)).toEqual([200, 404, 400, 422, 415])
    for (const [index, answer] of asked.entries()) expectHeaders(answer, 5, 4 - index, 60)
    expect(asked[0]?.headers.get('ratelimit-policy')).toBe('"token-hour";q=100;w=3600, "token-minute";q=5;w=60')

    const refused = await owner.get('/v1/monitors')
    expectRefused(refused)
    expectHeaders(refused, 5, 0, 60)
  })

  test('is refused before anything else is looked at, but not before it is known', async () => {
    const { owner, world } = await serve({ RATE_LIMIT_TOKEN_MINUTE: 1 })
    await owner.get('/v1/team')
    for (const answer of [
      await owner.get('/v1/monitors/999'),
      await owner.post('/v1/monitors', 'not json'),
      await owner.ask('POST', '/v1/monitors', 'text', { 'content-type': 'text/plain' }),
      await owner.ask('POST', '/v1/monitors', 'x'.repeat(2_000_000)),
    ]) {
      expectRefused(answer)
    }
    expect((await new Person(world, 'wp_api_wrong').get('/v1/monitors')).status).toBe(401)
    expect((await owner.get('/v1/probe/get-checks')).status).toBe(401)
  })

  test('has the limit of an hour at once, and the nearer of the two is reported', async () => {
    const { owner } = await serve({
      RATE_LIMIT_TOKEN_MINUTE: 3,
      RATE_LIMIT_TOKEN_HOUR: 5,
      TRUSTED_PROXIES: '127.0.0.1',
    })
    const at = (address: string) => owner.ask('GET', '/v1/team', undefined, from(address))
    const home = await times(4, () => at('203.0.113.1'))
    expect(statuses(home)).toEqual([200, 200, 200, 429])
    expectHeaders(home[0] as Answer, 3, 2, 60)
    // What the minute refused took nothing from the hour; another address has a minute of its own.
    const office = await times(3, () => at('203.0.113.2'))
    expect(statuses(office)).toEqual([200, 200, 429])
    expectHeaders(office[0] as Answer, 5, 1, 3600)
    expectRefused(office[2] as Answer)
    expectHeaders(office[2] as Answer, 5, 0, 3600)
    // The hour is the token's, wherever it is used.
    expect((await at('203.0.113.3')).status).toBe(429)
  })

  test("has a budget of its own beside its team's other tokens and other teams", async () => {
    const { owner, world } = await serve({ RATE_LIMIT_TOKEN_MINUTE: 4, RATE_LIMIT_TOKEN_HOUR: 4 })
    const { viewer, member, stranger } = await castOf(world)
    const spent = await times(3, () => owner.get('/v1/team'))
    expect(statuses(spent)).toEqual([200, 200, 429])
    for (const person of [viewer, member, stranger]) expect(left(await person.get('/v1/team'))).toBe('3')
    // A refusal by role is counted like any answer.
    const forbidden = await viewer.post('/v1/monitors', {})
    expect([forbidden.status, left(forbidden)]).toEqual([403, '2'])
  })
})

test('a probe has a budget of its own, and a token is not limited by it', async () => {
  const { anyone, owner, world } = await serve({
    RATE_LIMIT_PROBE_MINUTE: 3,
    RATE_LIMIT_ANONYMOUS_HOUR: 1,
    RATE_LIMIT_TOKEN_MINUTE: 50,
  })
  const provision = async (name: string) => {
    const { body } = await owner.post('/v1/probes', { name, region: 'eu' })
    return new Person(world, body.data.token)
  }
  const [one, two] = [await provision('one'), await provision('two')]
  const asked = await times(4, () => one.get('/v1/probe/get-checks'))
  expect(statuses(asked)).toEqual([200, 200, 200, 429])
  expectHeaders(asked[0] as Answer, 3, 2, 60)
  expectRefused(asked[3] as Answer)
  expectRefused(await one.post('/v1/probe/check-results', { results: [] }))
  expect(left(await two.get('/v1/probe/get-checks'))).toBe('2')
  // Neither the address without a credential nor the API token has paid for that.
  expect(left(await anyone('/api/status/nobody'))).toBe('0')
  expect(left(await owner.get('/v1/team'))).toBe('47')
})

test('every header of a limit may be read by a script in a browser', async () => {
  const { anyone } = await serve({ RATE_LIMIT_ANONYMOUS_HOUR: 1 })
  for (const answer of await times(2, () => anyone('/api/status/nobody'))) {
    const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase().split(', ')
    const said = [...answer.headers.keys()].filter(name => /rate-?limit|retry-after/.test(name))
    expect(said.length).toBe(answer.status === 429 ? 6 : 5)
    expect(exposed).toEqual(expect.arrayContaining(said))
  }
})

test('a page that is answered without the router is counted and answered as by the router', async () => {
  const { owner, world } = await serve({ RATE_LIMIT_ANONYMOUS_HOUR: 9 })
  await owner.post('/v1/status-pages', { slug: 'acme', title: 'Acme' })
  const first = await ask(world.url, 'GET', '/api/status/acme')
  const held = { 'if-none-match': first.headers.get('etag') as string, 'x-request-id': 'mine' }
  for (const [method, path, headers, cost] of [
    ['GET', '/api/status/acme', { origin: 'https://elsewhere.example' }, 1],
    ['GET', '/v1/status/acme', held, 0],
    ['HEAD', '/api/status/acme', {}, 1],
    ['HEAD', '/api/status/acme', held, 0],
    ['GET', '/api/status/Acme', { 'x-request-id': 'not one' }, 1],
  ] as const) {
    const [early, routed] = [
      await ask(world.url, method, path, undefined, headers),
      await ask(world.url, method, `${path}?query`, undefined, headers),
    ]
    expect(routed.status).toBe(early.status)
    expect(routed.body).toEqual(early.body)
    expect(saidBy(routed)).toEqual(saidBy(early))
    expect(Number(left(early)) - Number(left(routed))).toBe(cost)
  }
  const refused = await times(3, () => ask(world.url, 'GET', '/api/status/acme'))
  expect(statuses(refused)).toEqual([200, 200, 429])
  expectRefused(refused[2] as Answer)
})

test('only who says what he holds may ask for nothing', async () => {
  const { owner, world } = await serve({ RATE_LIMIT_TOKEN_MINUTE: 5, RATE_LIMIT_ANONYMOUS_HOUR: 5 })
  await owner.post('/v1/status-pages', { slug: 'acme', title: 'Acme' })
  const first = await owner.get('/v1/team')
  const held = { 'if-none-match': first.headers.get('etag') as string }
  const [same, any] = [
    await owner.ask('GET', '/v1/team', undefined, held),
    await owner.ask('GET', '/v1/team', undefined, { 'if-none-match': '*' }),
  ]
  expect([same.status, any.status]).toEqual([304, 304])
  expect([left(first), left(same), left(any)]).toEqual(['3', null, '2'])
  for (const path of ['/api/status/acme', '/api/status/acme?query']) {
    const before = await ask(world.url, 'GET', path)
    const any = await ask(world.url, 'GET', path, undefined, { 'if-none-match': '*' })
    expect([any.status, Number(left(before)) - Number(left(any))]).toEqual([304, 1])
  }
})

/** Headers without what differs from one answer to the next, and the length that Fastify gives a HEAD without a body. */
function saidBy({ headers, status }: Answer) {
  const differing = ['date', 'x-ratelimit-remaining', 'ratelimit', ...(status === 304 ? ['content-length'] : [])]
  const said = [...headers].filter(([name]) => !differing.includes(name))
  return said.map(([name, value]) => [name, name === 'x-request-id' && value !== 'mine' ? 'ours' : value])
}

test('0 is no limit, and says nothing', async () => {
  const { owner } = await serve({})
  const asked = await times(70, () => owner.get('/v1/team'))
  expect(new Set(statuses(asked))).toEqual(new Set([200]))
  expect([...(asked[0] as Answer).headers.keys()].filter(name => /^(x-)?rate-?limit/.test(name))).toEqual([])
})

test('the documented limits hold where they are set', async () => {
  const { anyone, owner } = await serve({
    RATE_LIMIT_TOKEN_HOUR: 1000,
    RATE_LIMIT_TOKEN_MINUTE: 60,
    RATE_LIMIT_ANONYMOUS_HOUR: 100,
  })
  const { headers } = await owner.get('/v1/team')
  expect(headers.get('ratelimit-policy')).toBe('"token-hour";q=1000;w=3600, "token-minute";q=60;w=60')
  expect((await anyone('/api/status/nobody')).headers.get('ratelimit-policy')).toBe('"anonymous-hour";q=100;w=3600')
})

test('telemetry is not limited here', async () => {
  const { server } = await serve({ RATE_LIMIT_ANONYMOUS_HOUR: 1 })
  const { otlp_url } = await server.event<{ otlp_url: string }>('listening')
  const asked = await times(3, () => ask(otlp_url, 'POST', '/v1/traces', {}))
  expect(statuses(asked)).toEqual([401, 401, 401])
})

test('monitorctl says how long to wait where that is longer than it may take', async () => {
  const { world } = await serve({ RATE_LIMIT_TOKEN_HOUR: 1 })
  expect((await world.monitorctl('monitors', 'list')).code).toBe(0)
  const ran = await world.monitorctl('monitors', 'list', '--request-timeout', '1s')
  expect(ran.code).toBe(5)
  expect(ran.stderr).toMatch(/Rate limit exceeded: 1 per hour; try again in \d+/)
})
