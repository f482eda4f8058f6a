import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, castOf, type People, Person } from '../people.ts'
import { runProgram, World } from '../world.ts'

let world: World
let people: People

beforeAll(async () => {
  world = await World.create()
  await world.server()
  people = await castOf(world)
})
afterAll(() => world.close())

describe('the Bearer header is read strictly', () => {
  const token = () => world.credentials.api_token

  test.each([
    ['nothing', () => undefined],
    ['no scheme', () => token()],
    ['another case', () => `bearer ${token()}`],
    ['two spaces', () => `Bearer  ${token()}`],
    ['a space behind', () => `Bearer ${token()} x`],
    ['another scheme', () => `Basic ${token()}`],
    ['an unknown token', () => 'Bearer wp_api_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['an empty token', () => 'Bearer '],
  ])('%s is 401', async (_, header) => {
    const value = header()
    const { status, body, headers } = await ask(
      world.url,
      'GET',
      '/v1/monitors',
      undefined,
      value === undefined ? {} : { authorization: value },
    )
    expect([status, body.message, body.code]).toEqual([401, 'Unauthorized', 'unauthorized'])
    expect(headers.get('www-authenticate')).toBe('Bearer')
  })

  test('exactly Bearer, one space, token is let in', async () => {
    const { status } = await ask(world.url, 'GET', '/v1/monitors', undefined, { authorization: `Bearer ${token()}` })
    expect(status).toBe(200)
  })
})

test('401 comes before everything else', async () => {
  for (const [method, path] of [
    ['POST', '/v1/monitors'],
    ['GET', '/v1/monitors/999'],
    ['PUT', '/v1/monitors/abc'],
    ['POST', '/v1/probe/check-result'],
    ['DELETE', '/v1/tokens/1'],
  ] as const) {
    expect((await ask(world.url, method, path, method === 'GET' ? undefined : 'not json')).status, path).toBe(401)
  }
})

describe('API tokens', () => {
  test('the text is shown once, and never in a list', async () => {
    const { status, body } = await people.owner.post('/v1/tokens', { name: 'ci' })
    expect([status, body.data.role, body.data.scopes]).toEqual([201, 'member', []])
    expect(body.data.token).toMatch(/^wp_api_[\w-]{43}$/)
    const { body: list } = await people.owner.get('/v1/tokens')
    expect(JSON.stringify(list)).not.toContain(body.data.token)
    expect(list.data.map((token: { name: string }) => token.name)).toContain('ci')
  })

  test('a revoked token is refused at once', async () => {
    const { body } = await people.owner.post('/v1/tokens', { name: 'brief' })
    const person = new Person(world, body.data.token)
    expect((await person.get('/v1/monitors')).status).toBe(200)
    expect((await people.owner.delete(`/v1/tokens/${body.data.id}`)).body.message).toBe('Token revoked')
    expect((await person.get('/v1/monitors')).status).toBe(401)
    expect((await people.owner.delete(`/v1/tokens/${body.data.id}`)).status).toBe(404)
  })

  test('an expired token is refused, and none is made that is over already', async () => {
    const expires = (inMs: number) => new Date(Date.now() + inMs).toISOString()
    const past = await people.owner.post('/v1/tokens', { name: 'old', expires_at: expires(-1000) })
    expect([past.status, past.body.errors]).toEqual([422, { expires_at: 'must be in the future' }])
    const { body } = await people.owner.post('/v1/tokens', { name: 'brief', expires_at: expires(1500) })
    const person = new Person(world, body.data.token)
    expect((await person.get('/v1/monitors')).status).toBe(200)
    await expect.poll(async () => (await person.get('/v1/monitors')).status, { timeout: 5_000 }).toBe(401)
  })

  test('nobody makes a token above themselves', async () => {
    const { body } = await people.owner.post('/v1/tokens', { name: 'admin', role: 'admin' })
    const admin = new Person(world, body.data.token)
    expect((await admin.post('/v1/tokens', { name: 'x', role: 'owner' })).body.errors).toHaveProperty('role')
    expect((await admin.post('/v1/tokens', { name: 'x', scopes: ['status-pages:write'] })).body.errors).toHaveProperty(
      'scopes',
    )
    expect((await people.member.post('/v1/tokens', { name: 'x' })).status).toBe(403)
    expect((await people.viewer.post('/v1/tokens', { name: 'x' })).status).toBe(403)
  })

  test("a stranger neither sees nor revokes another team's tokens", async () => {
    const { body } = await people.owner.get('/v1/tokens?sort=id')
    expect((await people.stranger.delete(`/v1/tokens/${body.data[0].id}`)).status).toBe(404)
    expect((await people.stranger.get('/v1/tokens')).body.data.map((token: { name: string }) => token.name)).toEqual([
      'bootstrap',
    ])
  })

  test('when a token was last used is known within seconds', async () => {
    const { body } = await people.owner.post('/v1/tokens', { name: 'used' })
    await new Person(world, body.data.token).get('/v1/monitors')
    await expect
      .poll(async () => (await people.owner.get('/v1/tokens?name=used')).body.data[0].last_used_at)
      .not.toBeNull()
  })
})

test('an operator without a token makes one on the machine, beside the running server', async () => {
  const args = [
    'token',
    'create',
    ...world.storage,
    '--team',
    'My team',
    '--role',
    'viewer',
    '--name',
    'rescue',
    '--json',
  ]
  const ran = await runProgram('watchpost-server', args, world.env)
  const { id, token } = JSON.parse(ran.stdout)
  expect(id).toBeGreaterThan(0)
  expect((await new Person(world, token).get('/v1/monitors')).status).toBe(200)
  expect((await new Person(world, token).post('/v1/monitors', {})).status).toBe(403)
})

test('a team knows itself', async () => {
  expect((await people.viewer.get('/v1/team')).body.data).toEqual({
    id: 1,
    name: 'My team',
    plan: 'enterprise',
    caller: { role: 'viewer', scopes: ['status-pages:write'] },
  })
  expect((await people.stranger.get('/v1/team')).body.data).toMatchObject({ name: 'Others', caller: { role: 'owner' } })
})
