import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../browser.ts'
import { ask, castOf, type People, Person } from '../people.ts'
import { World } from '../world.ts'

const password = 'a long word'
let counter = 0

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

  const newEmail = () => `person-${++counter}@example.com`
  const added = async (role: string) => {
    const email = newEmail()
    const { status, body } = await people.owner.post('/v1/team/members', { email, role, password })
    expect(status, JSON.stringify(body)).toBe(201)
    return { id: body.data.id as number, email }
  }
  const loggedIn = async (role: string) => {
    const { id, email } = await added(role)
    const browser = new Browser(world.url)
    expect((await browser.logIn(email, password)).status).toBe(201)
    return { id, email, browser }
  }
  const invited = async (role: string, by: Pick<Person, 'post'> = people.owner) => {
    const email = newEmail()
    const { status, body } = await by.post('/v1/team/members', { email, role })
    expect(status, JSON.stringify(body)).toBe(201)
    return { email, token: body.data.token as string, invitation: body.data }
  }
  const accept = (token: string, body: object = { password }) =>
    ask(world.url, 'POST', `/api/invitations/${token}`, body)
  const roleOf = async (id: number) =>
    (await people.owner.get('/v1/team/members?per_page=100')).body.data.find((each: { id: number }) => each.id === id)
      ?.role

  describe('who may do what', () => {
    test('everybody in the team sees its members, and nobody else does', async () => {
      const { id, email } = await added('viewer')
      for (const person of [people.owner, people.member, people.viewer]) {
        const { status, body } = await person.get(`/v1/team/members?email=${email}`)
        expect([status, body.data]).toEqual([200, [{ id, email, role: 'viewer', created_at: expect.any(String) }]])
      }
      const theirs = await people.stranger.get('/v1/team/members')
      expect(theirs.body.data.map((each: { email: string }) => each.email)).toEqual(['stranger@example.com'])
      expect((await ask(world.url, 'GET', '/v1/team/members')).status).toBe(401)
    })

    test.each([
      ['POST', '/v1/team/members', { email: 'x@example.com', role: 'viewer' }],
      ['PATCH', '/v1/team/members/{id}', { role: 'viewer' }],
      ['DELETE', '/v1/team/members/{id}', undefined],
      ['GET', '/v1/team/invitations', undefined],
      ['DELETE', '/v1/team/invitations/{invitation}', undefined],
      ['PATCH', '/v1/team', { name: 'Ours' }],
    ])('%s %s is for owner and admin', async (method, path, body) => {
      const { id } = await added('member')
      const { invitation } = await invited('viewer')
      const at = path.replace('{id}', `${id}`).replace('{invitation}', invitation.invitation_id)
      expect((await ask(world.url, method, at, body)).status, 'nobody').toBe(401)
      for (const one of [people.viewer, people.member]) expect((await one.ask(method, at, body)).status).toBe(403)
      const logged = await loggedIn('member')
      expect((await logged.browser.ask(method, at, body)).status, 'logged in').toBe(403)
      if (path.includes('{')) expect((await people.stranger.ask(method, at, body)).status, 'stranger').toBe(404)
      const admin = await loggedIn('admin')
      expect((await admin.browser.ask(method, at, body)).status, 'admin').toBeLessThan(300)
    })

    test('a team is renamed for itself alone', async () => {
      expect((await people.owner.patch('/v1/team', { name: 'Ours again' })).body.data.name).toBe('Ours again')
      expect((await people.stranger.get('/v1/team')).body.data.name).toBe('Others')
      expect((await people.owner.patch('/v1/team', { name: '' })).body.errors).toHaveProperty('name')
    })
  })

  describe('roles', () => {
    test('only an owner makes and unmakes owners', async () => {
      const admin = await loggedIn('admin')
      const owner = await loggedIn('owner')
      const member = await added('member')
      const make = await admin.browser.patch(`/v1/team/members/${member.id}`, { role: 'owner' })
      expect([make.status, make.body.errors]).toEqual([422, { role: 'must not be above your own role, admin' }])
      expect((await admin.browser.post('/v1/team/members', { email: newEmail(), role: 'owner' })).status).toBe(422)
      expect((await admin.browser.patch(`/v1/team/members/${owner.id}`, { role: 'viewer' })).status).toBe(403)
      expect((await admin.browser.delete(`/v1/team/members/${owner.id}`)).status).toBe(403)
      expect((await admin.browser.patch(`/v1/team/members/${admin.id}`, { role: 'owner' })).status).toBe(422)
      expect(await roleOf(owner.id)).toBe('owner')

      expect((await owner.browser.patch(`/v1/team/members/${member.id}`, { role: 'owner' })).body.data.role).toBe(
        'owner',
      )
      expect((await owner.browser.patch(`/v1/team/members/${member.id}`, { role: 'viewer' })).status).toBe(200)
      expect((await owner.browser.delete(`/v1/team/members/${owner.id}`)).status).toBe(200)
    })

    test('the last owner neither leaves nor is demoted, not even by two at the same moment', async () => {
      const mine = await people.owner.get('/v1/team/members?role=owner')
      for (const { id } of mine.body.data.filter((each: { id: number }) => each.id !== 1)) {
        expect((await people.owner.delete(`/v1/team/members/${id}`)).status).toBe(200)
      }
      const demoted = await people.owner.patch('/v1/team/members/1', { role: 'admin' })
      expect([demoted.status, demoted.body.code]).toEqual([409, 'conflict'])
      expect(demoted.body.message).toContain('make another one first')
      expect((await people.owner.delete('/v1/team/members/1')).status).toBe(409)

      const second = await loggedIn('owner')
      const first = new Browser(world.url)
      await first.logIn(world.credentials.email, world.credentials.password)
      const answers = await Promise.all([
        first.patch(`/v1/team/members/${second.id}`, { role: 'admin' }),
        second.browser.patch('/v1/team/members/1', { role: 'admin' }),
        first.patch('/v1/team/members/1', { role: 'admin' }),
        second.browser.patch(`/v1/team/members/${second.id}`, { role: 'admin' }),
      ])
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
      const { body } = await people.viewer.get('/v1/team/members?role=owner')
      expect(body.meta.total, JSON.stringify(answers.map(each => each.status))).toBe(1)
      if (body.data[0].id !== 1) await second.browser.patch('/v1/team/members/1', { role: 'owner' })
      await people.owner.delete(`/v1/team/members/${second.id}`)
      expect(await roleOf(1)).toBe('owner')
    })

    test('anybody who is logged in may leave, but no token takes its maker out', async () => {
      const viewer = await loggedIn('viewer')
      expect((await viewer.browser.delete(`/v1/team/members/${viewer.id}`)).status).toBe(200)
      expect((await viewer.browser.get('/api/session')).status).toBe(401)
      expect((await people.viewer.delete('/v1/team/members/1')).status).toBe(403)
    })

    test('a change holds from the next request on', async () => {
      const one = await loggedIn('member')
      const monitor = () => one.browser.post('/v1/monitors', { name: 'm', type: 'ping', target: 'a.example' })
      expect((await monitor()).status).toBe(201)
      await people.owner.patch(`/v1/team/members/${one.id}`, { role: 'viewer' })
      expect((await monitor()).status).toBe(403)
      expect((await one.browser.get('/api/session')).body.data).toMatchObject({ role: 'viewer', scopes: [] })
    })
  })

  test('a removed member is out at once, and in their other teams still', async () => {
    const one = await loggedIn('member')
    const { body } = await people.stranger.post('/v1/team/members', { email: one.email, role: 'member' })
    const elsewhere = new Browser(world.url)
    await elsewhere.post(`/api/invitations/${body.data.token}`, { password })
    expect((await elsewhere.get('/v1/monitors')).status).toBe(200)

    expect((await people.owner.delete(`/v1/team/members/${one.id}`)).body.message).toBe('Member removed')
    expect((await one.browser.get('/v1/monitors')).status).toBe(401)
    expect((await one.browser.get('/api/session')).status).toBe(401)
    expect((await elsewhere.get('/v1/monitors')).status).toBe(200)
    expect((await people.owner.delete(`/v1/team/members/${one.id}`)).status).toBe(404)
    const again = await new Browser(world.url).logIn(one.email, password)
    expect(again.body.data.teams.map((team: { name: string }) => team.name)).toEqual(['Others'])
    // Back in no team at all there is nothing to log in to.
    await people.stranger.delete(`/v1/team/members/${one.id}`)
    expect((await new Browser(world.url).logIn(one.email, password)).status).toBe(403)
  })

  describe('adding', () => {
    test.each([
      ['no e-mail', { role: 'member' }, 'email', 400],
      ['half an e-mail', { email: 'x@', role: 'member' }, 'email', 422],
      ['a role nobody knows', { email: 'x@example.com', role: 'root' }, 'role', 422],
      ['a short password', { email: 'x@example.com', password: 'short' }, 'password', 422],
    ])('with %s is refused', async (_, body, field, status) => {
      const answer = await people.owner.post('/v1/team/members', body)
      expect(answer.status).toBe(status)
      if (status === 422) expect(Object.keys(answer.body.errors)).toEqual([field])
    })

    test('somebody twice is refused, however they write their e-mail', async () => {
      const { email } = await added('member')
      for (const more of [{}, { password }]) {
        const { status, body } = await people.owner.post('/v1/team/members', { email: email.toUpperCase(), ...more })
        expect([status, body.errors]).toEqual([422, { email: 'is a member already' }])
      }
      const { status, body } = await people.stranger.post('/v1/team/members', { email, password })
      expect([status, body.errors.email]).toEqual([422, expect.stringContaining('invite')])
    })
  })

  describe('an invitation', () => {
    test('makes an account once, and its text is nowhere else', async () => {
      const { email, token, invitation } = await invited('viewer')
      expect(invitation).toMatchObject({ id: null, email, role: 'viewer', token })
      expect(token).toMatch(/^wp_invite_[\w-]{43}$/)
      expect(invitation.invitation_url).toBe(`${world.url}/invitation#${token}`)
      expect(Date.parse(invitation.expires_at) - Date.parse(invitation.created_at)).toBe(7 * 86_400_000)
      const list = await people.owner.get('/v1/team/invitations?per_page=100')
      expect(list.body.data).toContainEqual({
        id: invitation.invitation_id,
        email,
        role: 'viewer',
        created_at: invitation.created_at,
        expires_at: invitation.expires_at,
      })
      expect(JSON.stringify(list.body)).not.toContain(token)

      const seen = await ask(world.url, 'GET', `/api/invitations/${token}`)
      expect(seen.body.data).toMatchObject({ email, role: 'viewer', has_account: false })
      expect((await accept(token, {})).body.errors).toHaveProperty('password')
      expect((await accept(token, { password: 'short' })).body.errors).toHaveProperty('password')
      const accepted = await accept(token)
      expect([accepted.status, accepted.body.data.role]).toEqual([201, 'viewer'])
      expect(accepted.headers.getSetCookie()).toHaveLength(1)
      expect((await accept(token)).status).toBe(404)
      expect((await ask(world.url, 'GET', `/api/invitations/${token}`)).status).toBe(404)
      expect((await new Browser(world.url).logIn(email, password)).status).toBe(201)
    })

    test('is accepted by one of two who come at the same moment', async () => {
      const { token } = await invited('member')
      const answers = await Promise.all([accept(token), accept(token), accept(token)])
      expect(answers.map(({ status }) => status).filter(status => status === 201)).toHaveLength(1)
      for (const { status } of answers) expect([201, 404, 409]).toContain(status)

      const { email, id } = await added('member')
      const { body } = await people.stranger.post('/v1/team/members', { email, role: 'viewer' })
      const twice = await Promise.all([accept(body.data.token), accept(body.data.token)])
      expect(twice.map(({ status }) => status).filter(status => status === 201)).toHaveLength(1)
      await people.stranger.delete(`/v1/team/members/${id}`)
    })

    test('for somebody with an account takes their password, or their log-in', async () => {
      const one = await loggedIn('member')
      const invite = async () => {
        const { body } = await people.stranger.post('/v1/team/members', { email: one.email, role: 'viewer' })
        return body.data.token as string
      }
      const void_ = await invite()
      const token = await invite()
      expect((await accept(void_)).status, 'the second makes the first void').toBe(404)
      expect((await accept(token, { password: 'not it, not it' })).status).toBe(401)
      expect((await accept(token, {})).status).toBe(422)
      const other = await loggedIn('member')
      expect((await other.browser.post(`/api/invitations/${token}`, {})).status).toBe(422)
      // A page of another site cannot use the log-in.
      const forged = await one.browser.post(`/api/invitations/${token}`, {}, { 'x-csrf-token': undefined })
      expect(forged.status).toBe(422)
      const accepted = await one.browser.post(`/api/invitations/${token}`, {})
      expect([accepted.status, accepted.body.data.team.name]).toEqual([201, 'Others'])
      await people.stranger.delete(`/v1/team/members/${one.id}`)
    })

    test('is void once it is revoked, or its maker could not send it any more', async () => {
      const revoked = await invited('viewer')
      await people.owner.delete(`/v1/team/invitations/${revoked.invitation.invitation_id}`)
      expect((await accept(revoked.token)).status).toBe(404)

      const admin = await loggedIn('admin')
      const [one, two] = [await invited('admin', admin.browser), await invited('viewer', admin.browser)]
      await people.owner.patch(`/v1/team/members/${admin.id}`, { role: 'member' })
      expect((await accept(one.token)).status).toBe(404)
      await people.owner.patch(`/v1/team/members/${admin.id}`, { role: 'admin' })
      expect((await accept(one.token)).status).toBe(201)
      await people.owner.delete(`/v1/team/members/${admin.id}`)
      expect((await accept(two.token)).status).toBe(404)
    })

    test('that nobody sent is 404', async () => {
      for (const token of ['x', 'wp_invite_x', '%00']) expect((await accept(token)).status).toBe(404)
    })
  })

  describe('a token', () => {
    const made = async (by: Pick<Person, 'post'>, role: string) => {
      const { status, body } = await by.post('/v1/tokens', { name: `of ${role}`, role })
      expect(status, JSON.stringify(body)).toBe(201)
      return { ...body.data, person: new Person(world, body.data.token) }
    }
    const monitor = (by: Person) => by.post('/v1/monitors', { name: 'm', type: 'ping', target: 'a.example' })

    test('may never do more than its maker may now', async () => {
      const admin = await loggedIn('admin')
      const token = await made(admin.browser, 'admin')
      expect(token.user_id).toBe(admin.id)
      const child = await made(token.person, 'member')
      expect(child.user_id).toBe(admin.id)
      await people.owner.patch(`/v1/team/members/${admin.id}`, { role: 'viewer' })
      expect((await monitor(token.person)).status).toBe(403)
      expect((await monitor(child.person)).status).toBe(403)
      expect((await token.person.get('/v1/team')).body.data.caller.role).toBe('viewer')
      await people.owner.patch(`/v1/team/members/${admin.id}`, { role: 'admin' })
      expect((await monitor(token.person)).status).toBe(201)
      expect((await monitor(child.person)).status).toBe(201)

      await people.owner.delete(`/v1/team/members/${admin.id}`)
      for (const { person } of [token, child]) expect((await person.get('/v1/monitors')).status).toBe(401)
      const { body } = await people.owner.get('/v1/tokens?per_page=100')
      expect(body.data.map((each: { id: number }) => each.id)).toContain(token.id)
    })

    test('is not made above oneself, and shows no secret', async () => {
      const admin = await loggedIn('admin')
      const above = await admin.browser.post('/v1/tokens', { name: 'x', role: 'owner' })
      expect([above.status, Object.keys(above.body.errors)]).toEqual([422, ['role']])
      for (const role of ['member', 'viewer']) {
        const { browser } = await loggedIn(role)
        expect((await browser.post('/v1/tokens', { name: 'x', role: 'viewer' })).status).toBe(403)
      }
      const list = JSON.stringify((await admin.browser.get('/v1/tokens?per_page=100')).body)
      expect(list).not.toMatch(/wp_api_|hash/)
    })
  })
})
