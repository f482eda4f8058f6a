import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, castOf, type People, Person } from '../people.ts'
import { World } from '../world.ts'

const apps = '/api/observability/apps'
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe.each(['sqlite', 'postgres'] as const)('on %s', engine => {
  let place: Awaited<ReturnType<typeof newPlace>>
  let world: World
  let people: People
  let admin: Person

  beforeAll(async () => {
    place = await newPlace(engine)
    world = await World.create(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl })
    await world.server()
    people = await castOf(world)
    admin = new Person(world, (await people.owner.post('/v1/tokens', { name: 'a', role: 'admin' })).body.data.token)
  })
  afterAll(async () => {
    await world?.close()
    await place?.remove()
  })

  const created = async (body: object = {}) => (await admin.post(apps, { name: 'Shop', ...body })).body.data
  const read = async (id: number) => (await people.owner.get(`${apps}/${id}`)).body.data

  describe('create', () => {
    test('answers 201 with both keys, which can be read again', async () => {
      const { status, body } = await people.owner.post(apps, { name: 'Shop' })
      expect([status, body.success, body.message]).toEqual([201, true, 'App created'])
      expect(body.data).toEqual({
        id: expect.any(Number),
        name: 'Shop',
        app_token: expect.stringMatching(/^wp_app_[\w-]{43}$/),
        api_key: expect.stringMatching(/^wp_rum_[\w-]{43}$/),
        allowed_origins: [],
        created_at: time,
        updated_at: time,
      })
      expect(await read(body.data.id)).toEqual(body.data)
    })

    test('keeps each origin once, in its one spelling', async () => {
      const allowed_origins = ['HTTPS://Shop.example.com:443/', 'https://shop.example.com', 'https://*.Example.com']
      const { id } = await created({ allowed_origins })
      expect((await read(id)).allowed_origins).toEqual(['https://shop.example.com', 'https://*.example.com'])
    })

    test.each([
      [{}, 400, []],
      [{ allowed_origins: [] }, 400, []],
      [{ name: '' }, 422, ['name']],
      [{ name: 'x'.repeat(256) }, 422, ['name']],
      [{ name: 'x', colour: 'red' }, 422, ['colour']],
      [{ name: 'x', allowed_origins: 'https://a.example' }, 422, ['allowed_origins']],
      [{ name: 'x', allowed_origins: [1] }, 422, ['allowed_origins.0']],
      [{ name: 7, allowed_origins: ['a.example'] }, 422, ['allowed_origins', 'name']],
      [{ name: 'x', allowed_origins: ['https://a.example/path'] }, 422, ['allowed_origins']],
      [{ name: 'x', allowed_origins: ['*'] }, 422, ['allowed_origins']],
      [{ name: 'x', allowed_origins: ['https://*.com'] }, 422, ['allowed_origins']],
      [{ name: 'x', allowed_origins: [`https://${'a'.repeat(300)}.example`] }, 422, ['allowed_origins.0']],
      [
        { name: 'x', allowed_origins: Array.from({ length: 101 }, (_, i) => `https://a${i}.example`) },
        422,
        ['allowed_origins'],
      ],
    ])('%j is %d', async (body, status, fields) => {
      const answer = await people.owner.post(apps, body)
      expect([answer.status, Object.keys(answer.body.errors).toSorted()]).toEqual([status, fields])
    })

    test('an origin that is none is named, with the mend', async () => {
      const { body } = await people.owner.post(apps, { name: 'x', allowed_origins: ['https://a.example', 'b.example'] })
      expect(body.errors.allowed_origins).toMatch(/"b.example" is no origin; .*https:\/\/\*\.example\.com/)
    })
  })

  describe('change', () => {
    test('PATCH changes what it names, PUT returns the rest to its defaults, and both leave the keys', async () => {
      const app = await created({ allowed_origins: ['https://a.example'] })
      const patched = await admin.patch(`${apps}/${app.id}`, { name: 'Mail' })
      expect([patched.status, patched.body.message]).toEqual([200, 'App updated'])
      expect(patched.body.data).toEqual({ ...app, name: 'Mail', updated_at: time })
      const put = await admin.put(`${apps}/${app.id}`, { name: 'Post' })
      expect(put.body.data).toEqual({ ...app, name: 'Post', allowed_origins: [], updated_at: time })
    })

    test('what was read may be changed and sent back', async () => {
      const app = await created()
      const { status, body } = await admin.put(`${apps}/${app.id}`, { ...app, app_token: 'mine', name: 'Mail' })
      expect([status, body.data.name, body.data.app_token]).toEqual([200, 'Mail', app.app_token])
    })

    test('is judged as a create is', async () => {
      const { id } = await created()
      for (const change of [admin.patch, admin.put]) {
        const { status, body } = await change(`${apps}/${id}`, { name: 'x', allowed_origins: ['x'] })
        expect([status, Object.keys(body.errors)]).toEqual([422, ['allowed_origins']])
      }
      expect((await admin.put(`${apps}/${id}`, { allowed_origins: [] })).status).toBe(400)
    })

    test('changes at the same moment are both there', async () => {
      const { id } = await created()
      await Promise.all([
        admin.patch(`${apps}/${id}`, { name: 'Mail' }),
        admin.patch(`${apps}/${id}`, { allowed_origins: ['https://a.example'] }),
        admin.post(`${apps}/${id}/rotate`, { key: 'api_key' }),
      ])
      expect(await read(id)).toMatchObject({ name: 'Mail', allowed_origins: ['https://a.example'] })
    })
  })

  describe('rotate', () => {
    test.each([
      ['app_token', 'api_key'],
      ['api_key', 'app_token'],
    ])('makes the %s anew and leaves the %s', async (key, other) => {
      const app = await created()
      const { status, body } = await admin.post(`${apps}/${app.id}/rotate`, { key })
      expect([status, body.message]).toEqual([200, 'Key rotated'])
      expect(body.data[key]).not.toBe(app[key])
      expect(body.data[key].slice(0, 7)).toBe(app[key].slice(0, 7))
      expect(body.data[other]).toBe(app[other])
      expect(await read(app.id)).toEqual(body.data)
    })

    test.each([
      [{}, 400],
      [{ key: 'both' }, 422],
    ])('%j is %d', async (body, status) => {
      expect((await admin.post(`${apps}/${(await created()).id}/rotate`, body)).status).toBe(status)
    })
  })

  test('a deleted app is gone', async () => {
    const { id } = await created()
    const { status, body } = await admin.delete(`${apps}/${id}`)
    expect([status, body.message, body.data]).toEqual([200, 'App deleted', null])
    for (const path of ['', '/usage']) expect((await admin.get(`${apps}/${id}${path}`)).status).toBe(404)
    expect((await admin.delete(`${apps}/${id}`)).status).toBe(404)
  })

  test('a list shows no key', async () => {
    const { id } = await created({ name: 'Listed' })
    const { body } = await people.owner.get(`${apps}?name=Listed`)
    expect(body.data).toEqual([{ id, name: 'Listed', allowed_origins: [], created_at: time, updated_at: time }])
    expect([body.meta.total, body.links.first]).toEqual([1, `${apps}?name=Listed&page=1`])
  })

  describe('who may', () => {
    test('a viewer reads, but never the app token; a member sees both', async () => {
      const app = await created()
      expect((await people.viewer.get(`${apps}/${app.id}`)).body.data).toEqual({ ...app, app_token: null })
      expect((await people.member.get(`${apps}/${app.id}`)).body.data).toEqual(app)
      expect((await people.viewer.get(apps)).status).toBe(200)
    })

    test('owner and admin manage, member and viewer do not, strangers find nothing, nobody is unauthorized', async () => {
      const { id } = await created()
      const theirs = (await people.stranger.post(apps, { name: 'Theirs' })).body.data.id
      const attempts: [string, string, unknown][] = [
        ['PATCH', `${apps}/${id}`, { name: 'y' }],
        ['PUT', `${apps}/${id}`, { name: 'y' }],
        ['POST', `${apps}/${id}/rotate`, { key: 'api_key' }],
        ['POST', `${apps}/${id}/top-up`, { events: 1 }],
        ['GET', `${apps}/${id}`, undefined],
        ['GET', `${apps}/${id}/usage`, undefined],
        ['DELETE', `${apps}/${id}`, undefined],
      ]
      for (const [method, path, body] of attempts) {
        const reads = method === 'GET' ? 200 : 403
        const asked = [people.viewer, people.member, people.stranger].map(person => person.ask(method, path, body))
        const nobody = ask(world.url, method, path, body)
        const statuses = (await Promise.all([...asked, nobody])).map(({ status }) => status)
        expect(statuses, `${method} ${path}`).toEqual([reads, reads, 404, 401])
        // 404 comes before 403, 403 before 422.
        expect((await people.viewer.ask(method, path.replace(`/${id}`, `/${theirs}`), body)).status).toBe(404)
        if (body !== undefined) expect((await people.member.ask(method, path, { no: 1 })).status).toBe(403)
      }
      for (const person of [people.viewer, people.member]) {
        expect((await person.post(apps, { name: 'y' })).status).toBe(403)
      }
      expect((await ask(world.url, 'POST', apps, { name: 'y' })).status).toBe(401)
      expect((await ask(world.url, 'GET', apps)).status).toBe(401)
      expect((await people.stranger.get(apps)).body.data.map((app: { id: number }) => app.id)).toEqual([theirs])
      expect((await people.owner.patch(`${apps}/${id}`, { name: 'Owner was here' })).status).toBe(200)
      for (const odd of ['0', 'x', '1.5', '99999999999999999999']) {
        expect((await people.owner.get(`${apps}/${odd}`)).status, odd).toBe(404)
      }
    })
  })

  test('monitorctl does all of it', async () => {
    const app = await world.ctl<{ id: number; app_token: string; api_key: string }>(
      ...'apps create --name Ctl --allowed-origin https://a.example --allowed-origin https://*.b.example'.split(' '),
    )
    const id = String(app.id)
    expect(app).toMatchObject({
      allowed_origins: ['https://a.example', 'https://*.b.example'],
      app_token: expect.stringMatching(/^wp_app_/),
    })
    expect(await world.ctl('apps', 'get', id)).toEqual(app)
    expect(await world.ctl('apps', 'list', '--name', 'Ctl')).toMatchObject({ data: [{ id: app.id }] })
    const updated = await world.ctl('apps', 'update', id, '--name', 'Control')
    expect(updated).toMatchObject({ name: 'Control', allowed_origins: ['https://a.example', 'https://*.b.example'] })
    expect(await world.ctl('apps', 'rotate', id, '--key', 'app_token')).toMatchObject({ api_key: app.api_key })
    expect(await world.ctl('apps', 'top-up', id, '--spans', '100')).toMatchObject({ spans: 100, events: 0 })
    expect(await world.ctl('usage', id)).toMatchObject({ top_up_balance: { spans: 100 } })
    expect((await world.monitorctl('apps', 'delete', id, '--yes')).code).toBe(0)
    expect((await world.monitorctl('apps', 'get', id)).code).toBe(4)
    expect((await world.monitorctl('apps', 'create', '--name', 'x', '--allowed-origin', 'x')).code).toBe(2)
  })

  if (engine === 'sqlite')
    test('neither key stands readable in the database', async () => {
      const app = await created({ name: 'Sealed' })
      const files = ['watchpost.db', 'watchpost.db-wal'].map(name => readFile(join(world.dir, 'data', name), 'latin1'))
      const text = (await Promise.all(files)).join('')
      expect(text).toContain('Sealed')
      for (const key of [app.app_token, app.api_key]) expect(text).not.toContain(key.slice(7))
    })
})
