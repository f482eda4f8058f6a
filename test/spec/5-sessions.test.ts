import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../browser.ts'
import { ask, castOf, type People } from '../people.ts'
import { runProgram, World } from '../world.ts'

describe.each(['sqlite', 'postgres'] as const)('on %s', engine => {
  let place: Awaited<ReturnType<typeof newPlace>>
  let world: World
  let people: People

  beforeAll(async () => {
    place = await newPlace(engine)
    world = await World.create(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl })
    await world.server()
    people = await castOf(world)
  })
  afterAll(async () => {
    await world?.close()
    await place?.remove()
  })

  const browser = () => new Browser(world.url)
  const loggedIn = async () => {
    const one = browser()
    const { status, body } = await one.logIn(world.credentials.email, world.credentials.password)
    expect([status, body.message]).toEqual([201, 'Logged in'])
    return one
  }
  /** Somebody with an account and this role in the first team. */
  const person = async (role: string) => {
    const name = `${role}-${Math.random().toString(36).slice(2)}@example.com`
    const { status, body } = await people.owner.post('/v1/team/members', { email: name, role, password: 'a long word' })
    expect(status, JSON.stringify(body)).toBe(201)
    const one = browser()
    expect((await one.logIn(name, 'a long word')).status).toBe(201)
    return { browser: one, email: name, id: body.data.id as number }
  }

  describe('logging in', () => {
    test('sets a cookie that scripts and other sites cannot have, and says who one is', async () => {
      const one = browser()
      const { body, headers } = await one.logIn(world.credentials.email.toUpperCase(), world.credentials.password)
      const [cookie] = headers.getSetCookie()
      expect(cookie).toMatch(/^watchpost=wp_session_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(body.data).toEqual({
        user: { id: 1, email: world.credentials.email },
        team: { id: 1, name: 'My team', plan: 'enterprise' },
        role: 'owner',
        scopes: ['status-pages:write'],
        teams: [{ id: 1, name: 'My team', role: 'owner' }],
        csrf_token: expect.stringMatching(/^[\w-]{43}$/),
        expires_at: expect.any(String),
      })
      expect(Date.parse(body.data.expires_at) - Date.now()).toBeGreaterThan(13.9 * 86_400_000)
      expect(Date.parse(body.data.expires_at) - Date.now()).toBeLessThan(14.1 * 86_400_000)
      expect((await one.get('/api/session')).body.data).toEqual(body.data)
      expect((await one.get('/v1/team')).body.data.caller).toEqual({ role: 'owner', scopes: ['status-pages:write'] })
    })

    test('says nothing of whether there is such an account', async () => {
      const wrong = await browser().logIn(world.credentials.email, 'not it, not it')
      const nobody = await browser().logIn('nobody@example.com', 'not it, not it')
      expect(wrong.status).toBe(401)
      expect(nobody.body).toEqual(wrong.body)
      expect(wrong.headers.getSetCookie()).toEqual([])
    })

    test('takes as long for an account that does not exist', async () => {
      const took = async (name: string) => {
        const begin = performance.now()
        await browser().logIn(name, 'not it, not it')
        return performance.now() - begin
      }
      const [known, unknown]: [number[], number[]] = [[], []]
      // In turns, so that whatever else this machine does falls on both.
      for (let round = 0; round < 10; round++) {
        known.push(await took(world.credentials.email))
        unknown.push(await took('nobody@example.com'))
      }
      expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 2)
    })

    test.each([
      ['no body', '', 400],
      ['neither field', {}, 400],
      ['no password', { email: 'a@example.com' }, 422],
      ['an unknown field', { email: 'a@example.com', password: 'x', remember: true }, 422],
      ['a password of a mebibyte', { email: 'a@example.com', password: 'x'.repeat(1_000_000) }, 422],
      ['another type', { email: 1, password: ['x'] }, 422],
    ])('with %s is refused', async (_, body, status) => {
      expect((await browser().post('/api/session', body)).status).toBe(status)
    })

    test('begins anew: the cookie that the browser had before is over', async () => {
      const one = await loggedIn()
      const before = one.cookie
      // A page that was just opened knows no token of the log-in that is there.
      one.csrf = ''
      await one.logIn(world.credentials.email, world.credentials.password)
      expect(one.cookie).not.toBe(before)
      expect((await browser().get('/api/session', { cookie: before })).status).toBe(401)
    })

    test('from a page of another site is refused', async () => {
      const { email: name, password } = world.credentials
      for (const from of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
        expect((await browser().post('/api/session', { email: name, password }, from)).status).toBe(403)
      }
      // A program says nothing of where it is.
      expect((await ask(world.url, 'POST', '/api/session', { email: name, password })).status).toBe(201)
    })
  })

  test('logging out ends it at once, also on another replica', async () => {
    const one = await loggedIn()
    const { cookie } = one
    const first = world.url
    // SQLite has one server only.
    if (engine === 'postgres') await world.server()
    const elsewhere = new Browser(world.url)
    world.url = first
    expect((await elsewhere.get('/v1/team', { cookie })).status).toBe(200)
    const { status, body, headers } = await one.delete('/api/session')
    expect([status, body.data]).toEqual([200, null])
    expect(headers.getSetCookie()[0]).toMatch(/^watchpost=; .*Max-Age=0/)
    expect((await elsewhere.get('/v1/team', { cookie })).status).toBe(401)
    expect((await elsewhere.get('/api/session', { cookie })).status).toBe(401)
  })

  describe('a cookie', () => {
    test('is nothing on the Probe API, and nothing as a Bearer token', async () => {
      const { cookie } = await loggedIn()
      const text = cookie.split('=')[1] as string
      for (const headers of [{ cookie }, { authorization: `Bearer ${text}` }] as Record<string, string>[]) {
        expect((await ask(world.url, 'GET', '/v1/probe/get-checks', undefined, headers)).status).toBe(401)
      }
      const bearer = { authorization: `Bearer ${text}` }
      expect((await ask(world.url, 'GET', '/v1/team', undefined, bearer)).status).toBe(401)
    })

    test('gives way to a Bearer header, even to a wrong one', async () => {
      const one = await loggedIn()
      expect((await one.get('/v1/team', { authorization: 'Bearer wp_api_wrong' })).status).toBe(401)
      const { body } = await people.owner.post('/v1/tokens', { name: 'beside', role: 'viewer' })
      const bearer = { authorization: `Bearer ${body.data.token}` }
      expect((await one.get('/v1/team', bearer)).body.data.caller.role).toBe('viewer')
      // It is no cookie, so no page is asked for.
      expect((await one.post('/v1/monitors', {}, { ...bearer, origin: undefined })).body.message).toContain('viewer')
    })

    test.each(['watchpost=', 'watchpost=x', `watchpost=wp_session_${'A'.repeat(43)}`, `__Host-watchpost=x`])(
      '%s is nobody',
      async cookie => {
        expect((await browser().get('/v1/team', { cookie })).status).toBe(401)
      },
    )

    test('is read by nobody but its own site', async () => {
      const one = await loggedIn()
      const { headers } = await one.get('/v1/team')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.get('cache-control')).toBe('private, no-cache')
      const preflight = await one.ask('OPTIONS', '/v1/monitors')
      expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).not.toContain('csrf')
    })
  })

  describe('a write with a cookie', () => {
    const write = { name: 'Written', type: 'ping', target: 'a.example' }

    test('needs a page of this site and the token of the log-in', async () => {
      const one = await loggedIn()
      expect((await one.post('/v1/monitors', write)).status).toBe(201)
      const other = await loggedIn()
      for (const [what, headers] of [
        ['no token', { 'x-csrf-token': undefined }],
        ['another token', { 'x-csrf-token': other.csrf }],
        ['half a token', { 'x-csrf-token': one.csrf.slice(0, 20) }],
        ['another site', { origin: 'https://evil.example' }],
        ['another port', { origin: `${world.url}1` }],
        ['no page', { origin: undefined }],
        ['a page without a site', { origin: 'null' }],
      ] as const) {
        const { status, body } = await one.post('/v1/monitors', write, headers)
        expect([status, body.code], what).toEqual([403, 'forbidden'])
      }
      const { body } = await people.owner.get('/v1/monitors?name=Written')
      expect(body.meta.total).toBe(1)
      await people.owner.delete(`/v1/monitors/${body.data[0].id}`)
    })

    test('that has no right to be there is told nothing of what is there', async () => {
      const one = await loggedIn()
      expect((await one.ask('DELETE', '/v1/monitors/999', undefined, { 'x-csrf-token': undefined })).status).toBe(403)
      expect((await one.delete('/v1/monitors/999')).status).toBe(404)
      const { status } = await one.ask('DELETE', '/api/session', undefined, { 'x-csrf-token': undefined })
      expect(status).toBe(403)
      expect((await one.get('/api/session')).status).toBe(200)
    })

    test('edits status pages, which a token needs a scope for', async () => {
      const member = await person('member')
      const page = { slug: `page-${engine}`, title: 'Page' }
      expect((await member.browser.post('/v1/status-pages', page)).status).toBe(201)
      const viewer = await person('viewer')
      expect((await viewer.browser.post('/v1/status-pages', page)).status).toBe(403)
    })
  })

  test('roles hold for whoever is logged in as they do for tokens', async () => {
    const roles = { admin: await person('admin'), member: await person('member'), viewer: await person('viewer') }
    for (const [role, { browser: one }] of Object.entries(roles)) {
      expect((await one.get('/v1/monitors')).status).toBe(200)
      const made = await one.post('/v1/monitors', { name: role, type: 'ping', target: 'a.example' })
      expect(made.status, role).toBe(role === 'viewer' ? 403 : 201)
      expect((await one.post('/v1/tokens', { name: role })).status, role).toBe(role === 'admin' ? 201 : 403)
    }
  })

  describe('somebody in several teams', () => {
    test('begins in the first, or in the one they name, and may switch', async () => {
      const { email: name, id } = await person('member')
      const invited = await people.stranger.post('/v1/team/members', { email: name, role: 'viewer' })
      const one = browser()
      const accepted = await one.post(`/api/invitations/${invited.body.data.token}`, { password: 'a long word' })
      expect([accepted.status, accepted.body.data.team.name]).toEqual([201, 'Others'])
      const others = accepted.body.data.team.id

      expect((await one.logIn(name, 'a long word')).body.data.team.id).toBe(1)
      expect((await one.logIn(name, 'a long word', { team_id: others })).body.data.role).toBe('viewer')
      const switched = await one.patch('/api/session', { team_id: 1 })
      expect([switched.status, switched.body.data.team.id, switched.body.data.role]).toEqual([200, 1, 'member'])
      expect((await one.get('/v1/team')).body.data.id).toBe(1)
      expect(switched.body.data.teams.map((team: { id: number }) => team.id)).toEqual([1, others])
      expect(switched.body.data.user.id).toBe(id)
    })

    test('what is followed is followed as long as one is in its team', async () => {
      const { browser: one, email: name } = await person('member')
      const invited = await people.stranger.post('/v1/team/members', { email: name, role: 'viewer' })
      await one.post(`/api/invitations/${invited.body.data.token}`, { password: 'a long word' })
      expect((await one.get('/api/session')).body.data.team.id).not.toBe(1)
      const stream = await fetch(`${world.url}/v1/events`, { headers: { cookie: one.cookie } })
      expect(stream.status).toBe(200)
      const ended = stream.text()
      expect((await one.patch('/api/session', { team_id: 1 })).status).toBe(200)
      expect(await ended).toContain('retry:')
    })

    test('and in no other', async () => {
      const { browser: one, email: name } = await person('member')
      const stranger = (await people.stranger.get('/v1/team')).body.data.id
      expect((await one.patch('/api/session', { team_id: stranger })).body.errors).toHaveProperty('team_id')
      expect((await one.get('/api/session')).body.data.team.id).toBe(1)
      const other = await browser().logIn(name, 'a long word', { team_id: stranger })
      expect([other.status, Object.keys(other.body.errors)]).toEqual([422, ['team_id']])
    })
  })

  describe('a password', () => {
    test('is changed by whoever knows it, and every other log-in ends', async () => {
      const { browser: one, email: name } = await person('member')
      const other = browser()
      await other.logIn(name, 'a long word')
      const change = (current_password: string, new_password: string) =>
        one.put('/api/session/password', { current_password, new_password })
      expect((await change('not it, not it', 'another long word')).body.errors).toHaveProperty('current_password')
      expect((await change('a long word', 'short')).body.errors).toHaveProperty('new_password')
      expect((await other.get('/api/session')).status).toBe(200)

      expect((await change('a long word', 'another long word')).status).toBe(200)
      expect((await one.get('/api/session')).status).toBe(200)
      expect((await other.get('/api/session')).status).toBe(401)
      expect((await browser().logIn(name, 'a long word')).status).toBe(401)
      expect((await browser().logIn(name, 'another long word')).status).toBe(201)
    })

    test('that is lost is replaced by whoever has access to the server', async () => {
      const { browser: one, email: name } = await person('member')
      const reset = (of: string) =>
        runProgram('watchpost-server', ['password', 'reset', ...world.storage, '--email', of, '--json'], world.env)
      const ran = await reset(name.toUpperCase())
      expect([ran.code, JSON.parse(ran.stdout)]).toEqual([0, { email: name, password: expect.any(String) }])
      expect((await one.get('/api/session')).status).toBe(401)
      expect((await browser().logIn(name, 'a long word')).status).toBe(401)
      expect((await browser().logIn(name, JSON.parse(ran.stdout).password)).status).toBe(201)
      expect((await reset('nobody@example.com')).code).toBe(1)
    })
  })

  test('nobody is told 401 before anything else', async () => {
    for (const [method, path] of [
      ['GET', '/api/session'],
      ['PATCH', '/api/session'],
      ['DELETE', '/api/session'],
      ['PUT', '/api/session/password'],
    ] as const) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : 'not json'
      expect((await ask(world.url, method, path, body)).status, path).toBe(401)
      // A token is no log-in.
      const bearer = { authorization: `Bearer ${world.credentials.api_token}` }
      expect((await ask(world.url, method, path, body, bearer)).status, path).toBe(401)
    }
  })
})

describe('over https', () => {
  const cookieOf = async (env: Record<string, string>, headers: Record<string, string>) => {
    const world = await World.create({ env })
    try {
      await world.server()
      const { email, password } = world.credentials
      const answer = await ask(world.url, 'POST', '/api/session', { email, password }, headers)
      return answer.headers.getSetCookie()[0] as string
    } finally {
      await world.close()
    }
  }

  test('a trusted proxy says so, and the cookie is for this host and https alone', async () => {
    const cookie = await cookieOf({ WATCHPOST_TRUSTED_PROXIES: '127.0.0.1' }, { 'x-forwarded-proto': 'https' })
    expect(cookie).toMatch(/^__Host-watchpost=wp_session_[\w-]+; Path=\/; HttpOnly; SameSite=Lax; .*; Secure$/)
    expect(cookie).not.toContain('Domain')
  })

  test('nobody else is believed', async () => {
    const cookie = await cookieOf({}, { 'x-forwarded-proto': 'https' })
    expect(cookie).toMatch(/^watchpost=/)
  })
})
