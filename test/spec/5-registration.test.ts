import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../browser.ts'
import { ask, castOf, type People, Person } from '../people.ts'
import { runProgram, World } from '../world.ts'

const password = 'a long word'
let counter = 0
const newEmail = () => `newcomer-${++counter}@example.com`

describe.each(['sqlite', 'postgres'] as const)('open, on %s', engine => {
  let place: Awaited<ReturnType<typeof newPlace>>
  let world: World
  let people: People

  beforeAll(async () => {
    place = await newPlace(engine)
    world = await World.create({
      env: { WATCHPOST_REGISTRATION: 'open', WATCHPOST_DEFAULT_PLAN: 'free' },
      ...(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl }),
    })
    await world.server()
    people = await castOf(world)
  })
  afterAll(async () => {
    await world?.close()
    await place?.remove()
  })

  const registered = async () => {
    const browser = new Browser(world.url)
    const email = newEmail()
    const { status, body } = await browser.post('/api/registration', { email, password, team: 'Newcomers' })
    expect(status, JSON.stringify(body)).toBe(201)
    return { browser, email, team: body.data.team as { id: number; name: string; plan: string } }
  }

  test('makes an account and a team, and logs in', async () => {
    const browser = new Browser(world.url)
    const email = newEmail()
    const { status, body, headers } = await browser.post('/api/registration', {
      email: email.toUpperCase(),
      password,
      team: 'Newcomers',
    })
    expect(status).toBe(201)
    expect(headers.getSetCookie()[0]).toMatch(/^watchpost=wp_session_/)
    expect(body.data).toMatchObject({ user: { email }, team: { name: 'Newcomers', plan: 'free' }, role: 'owner' })
    expect((await browser.get('/v1/team/members')).body.data.map((each: { email: string }) => each.email)).toEqual([
      email,
    ])
    expect((await browser.get('/v1/monitors')).body.meta.total).toBe(0)
    expect((await people.owner.get(`/v1/team/members?email=${email}`)).body.meta.total).toBe(0)
    expect((await new Browser(world.url).logIn(email, password)).status).toBe(201)
  })

  test.each([
    ['nothing', {}, 400, []],
    ['half', { email: 'x@example.com' }, 422, ['password', 'team']],
    ['a short password', { email: 'x@example.com', password: 'nine char', team: 'x' }, 422, ['password']],
    ['a long password', { email: 'x@example.com', password: 'x'.repeat(201), team: 'x' }, 422, ['password']],
    ['no e-mail', { email: 'example.com', password, team: 'x' }, 422, ['email']],
    ['two e-mails', { email: 'a@example.com,b@example.com', password, team: 'x' }, 422, ['email']],
    ['a long e-mail', { email: `${'x'.repeat(250)}@example.com`, password, team: 'x' }, 422, ['email']],
    ['a plan', { email: 'x@example.com', password, team: 'x', plan: 'enterprise' }, 422, ['plan']],
    ['an empty team', { email: 'x@example.com', password, team: '' }, 422, ['team']],
  ])('%s is refused', async (_, body, status, fields) => {
    const answer = await new Browser(world.url).post('/api/registration', body)
    expect([answer.status, Object.keys(answer.body.errors).sort()]).toEqual([status, fields])
  })

  test('an e-mail belongs to one account, also of several at the same moment', async () => {
    const { email } = await registered()
    const again = await new Browser(world.url).post('/api/registration', { email, password, team: 'x' })
    expect([again.status, again.body.errors]).toEqual([422, { email: 'has an account already; log in instead' }])

    const other = newEmail()
    const answers = await Promise.all(
      [1, 2, 3].map(() => new Browser(world.url).post('/api/registration', { email: other, password, team: 'x' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
  })

  test('from a page of another site is refused', async () => {
    const body = { email: newEmail(), password, team: 'x' }
    const origin = { origin: 'https://evil.example' }
    expect((await new Browser(world.url).post('/api/registration', body, origin)).status).toBe(403)
  })

  describe('strangers keep out of the network this server is in', () => {
    const monitor = (target: string, type = 'tcp') => ({ name: 'm', type, target })

    test('a target that is private by its own words is refused', async () => {
      const { browser } = await registered()
      for (const [target, type] of [
        ['127.0.0.1:22', 'tcp'],
        ['http://localhost:8080/', 'http'],
        ['http://[::1]/', 'http'],
        ['10.0.0.1', 'ping'],
      ] as const) {
        const { status, body } = await browser.post('/v1/monitors', monitor(target, type))
        expect([status, Object.keys(body.errors)], target).toEqual([422, ['target']])
      }
      const { body } = await browser.post('/v1/monitors', monitor('a.example:22'))
      for (const answer of [
        await browser.patch(`/v1/monitors/${body.data.id}`, { target: '127.0.0.1:22' }),
        await browser.put(`/v1/monitors/${body.data.id}`, monitor('127.0.0.1:22')),
      ]) {
        expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['target']])
      }
      expect((await people.owner.post('/v1/monitors', monitor('127.0.0.1:22'))).status).toBe(201)
    })

    test('a probe of their own may look into their own', async () => {
      const { browser, team } = await registered()
      const { body: made } = await browser.post('/v1/monitors', monitor('leads.example:22'))
      const { body: mine } = await browser.post('/v1/probes', { name: 'theirs' })
      const check = async (token: string) => {
        const { body } = await new Person(world, token).get('/v1/probe/get-checks?limit=1000')
        return body.data.find((each: { monitor_id: number }) => each.monitor_id === made.data.id)
      }
      expect(await check(mine.data.token)).not.toHaveProperty('allow_private')
      expect(team.id).toBeGreaterThan(1)
    })
  })

  describe('a plan', () => {
    const planSet = (team: number, plan: string) =>
      runProgram('watchpost-server', ['plan', 'set', ...world.storage, '--team', `${team}`, '--plan', plan], world.env)

    test('limits status pages and probes, and is changed beside the running server', async () => {
      const { browser, team } = await registered()
      const page = () => browser.post('/v1/status-pages', { slug: `page-${++counter}-${engine}`, title: 'Page' })
      const probe = () => browser.post('/v1/probes', { name: 'p' })
      for (const one of [page, probe]) {
        expect((await one()).status).toBe(201)
        const over = await one()
        expect([over.status, over.body.code]).toEqual([403, 'forbidden'])
        expect(over.body.message).toMatch(/^Your plan, free, includes 1 (status page|probe); pro includes 5/)
      }
      const ran = await planSet(team.id, 'pro')
      expect([ran.code, ran.stdout]).toEqual([0, 'Newcomers has the plan pro now, before free.\n'])
      expect((await page()).status).toBe(201)
      expect((await browser.get('/v1/team')).body.data.plan).toBe('pro')
      const many = await Promise.all(Array.from({ length: 8 }, probe))
      expect(many.filter(({ status }) => status === 201)).toHaveLength(4)

      await planSet(team.id, 'free')
      expect((await page()).body.message).toContain('free')
      const { body } = await browser.get('/v1/probes')
      await browser.delete(`/v1/probes/${body.data[0].id}`)
      expect((await probe()).status).toBe(403)
      await planSet(team.id, 'enterprise')
      expect((await Promise.all([probe(), page()])).map(({ status }) => status)).toEqual([201, 201])
    })

    test('is one of four, of a team that is there', async () => {
      expect((await planSet(1, 'platinum')).code).toBe(2)
      expect((await planSet(99_999, 'free')).code).toBe(1)
    })
  })
})

describe('closed, which it is unless an operator opens it', () => {
  test('nobody registers, whatever they say', async () => {
    const world = await World.create()
    try {
      await world.server()
      for (const body of [{ email: 'x@example.com', password, team: 'x' }, 'not json']) {
        const { status, body: said } = await ask(world.url, 'POST', '/api/registration', body)
        expect([status, said.code]).toEqual([403, 'forbidden'])
      }
      // Where no stranger comes in, every team may look into this network.
      const { stranger } = await castOf(world)
      const monitor = { name: 'm', type: 'tcp', target: '127.0.0.1:22' }
      expect((await stranger.post('/v1/monitors', monitor)).status).toBe(201)
    } finally {
      await world.close()
    }
  })
})

test("this server's own probe is told to keep out of its network for strangers, and for nobody else", async () => {
  const world = await World.create({ env: { WATCHPOST_REGISTRATION: 'open' } })
  try {
    const listen = ['--listen', '127.0.0.1:0', '--otlp-listen', '127.0.0.1:0']
    const first = world.start('watchpost-server', ['serve', '--with-probe', ...world.storage, ...listen])
    await first.event('listening')
    await first.stop()
    await world.server()
    // Now the test speaks for that probe.
    const token = (await readFile(join(world.dir, 'data', 'embedded-probe.token'), 'utf8')).trim()
    const probe = new Person(world, token)
    const browser = new Browser(world.url)
    await browser.post('/api/registration', { email: 'x@example.com', password, team: 'x' })
    const target = { name: 'm', type: 'tcp', target: 'leads.example:22' }
    const theirs = (await browser.post('/v1/monitors', target)).body.data.id
    const ours = (await new Person(world, world.credentials.api_token).post('/v1/monitors', target)).body.data.id
    const { body } = await probe.get('/v1/probe/get-checks')
    const allowed = body.data.map((each: { monitor_id: number; allow_private?: boolean }) => [
      each.monitor_id,
      each.allow_private,
    ])
    expect(Object.fromEntries(allowed)).toEqual({ [theirs]: false, [ours]: undefined })
  } finally {
    await world.close()
  }
})
