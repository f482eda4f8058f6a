import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, castOf, type People, Person } from '../people.ts'
import { World } from '../world.ts'

let world: World
let people: People
let monitorId: number
let pageId: number

beforeAll(async () => {
  world = await World.create()
  await world.server()
  people = await castOf(world)
  const monitor = { name: 'Internal name', type: 'tcp', target: 'db.internal:5432', options: { confirmations: 1 } }
  monitorId = (await people.owner.post('/v1/monitors', monitor)).body.data.id
})
afterAll(() => world.close())

const published = (slug = 'acme') => ask(world.url, 'GET', `/api/status/${slug}`)

describe('create', () => {
  test('fills in the defaults, and lowers the slug', async () => {
    const { status, body } = await people.member.post('/v1/status-pages', { slug: 'ACME', title: 'Acme status' })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      slug: 'acme',
      title: 'Acme status',
      description: null,
      is_public: true,
      language: 'en',
      show_history_days: 90,
      theme: { primary_color: '#10b981', layout: 'modern-light' },
      monitors: [],
    })
    pageId = body.data.id
  })

  test('any other number of days becomes 90', async () => {
    const days = async (show_history_days: number) =>
      (await people.owner.patch(`/v1/status-pages/${pageId}`, { show_history_days })).body.data.show_history_days
    for (const allowed of [30, 60, 180, 365, 90]) expect(await days(allowed)).toBe(allowed)
    expect(await days(45)).toBe(90)
  })

  test.each([
    [{ slug: 'ab', title: 'Acme' }, 'slug'],
    [{ slug: 'x'.repeat(101), title: 'Acme' }, 'slug'],
    [{ slug: 'a b c', title: 'Acme' }, 'slug'],
    [{ slug: 'acme', title: 'Acme' }, 'slug'],
    [{ slug: 'acme2', title: 'Ac' }, 'title'],
    [{ slug: 'acme2', title: 'x'.repeat(256) }, 'title'],
    [{ slug: 'acme2', title: 'Acme', description: 'x'.repeat(1001) }, 'description'],
    [{ slug: 'acme2', title: 'Acme', language: 'english' }, 'language'],
    [{ slug: 'acme2', title: 'Acme', theme: { primary_color: 'red}' } }, 'theme.primary_color'],
  ])('%j is 422', async (body, field) => {
    const answer = await people.owner.post('/v1/status-pages', body)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
  })
})

describe('assign', () => {
  test('a monitor comes on the page with its settings; again replaces them', async () => {
    const path = `/v1/status-pages/${pageId}/monitors`
    const { status, body } = await people.owner.post(path, { monitor_id: monitorId })
    expect([status, body.data]).toEqual([
      201,
      {
        monitor_id: monitorId,
        name: 'Internal name',
        display_name: null,
        group_name: 'General',
        order_index: 0,
        show_uptime: true,
        show_response_time: true,
      },
    ])
    await people.owner.post(path, { monitor_id: monitorId, display_name: 'Database', group_name: 'Core' })
    expect((await people.viewer.get(`/v1/status-pages/${pageId}`)).body.data.monitors).toMatchObject([
      { display_name: 'Database', group_name: 'Core' },
    ])
  })

  test("another team's monitor is not there to assign", async () => {
    const theirs = (await people.stranger.post('/v1/status-pages', { slug: 'theirs', title: 'Theirs' })).body.data.id
    const answer = await people.stranger.post(`/v1/status-pages/${theirs}/monitors`, { monitor_id: monitorId })
    expect([answer.status, answer.body.errors]).toEqual([422, { monitor_id: 'no such monitor' }])
  })
})

describe('the public payload', () => {
  test('has the documented fields and nothing of the inside', async () => {
    const { status, body } = await published()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      slug: 'acme',
      is_public: true,
      overall_status: 'operational',
      groups: [{ name: 'Core', status: 'operational' }],
      monitors: [
        { id: monitorId, display_name: 'Database', group_name: 'Core', current_status: 'unknown', last_check: null },
      ],
      incidents: [],
    })
    expect(body.uptime_history).toHaveLength(90)
    expect(body.uptime_history.at(-1)).toMatchObject({ uptime: null, hasData: false })
    expect(JSON.stringify(body)).not.toContain('db.internal')
  })

  test('a down monitor makes its group and the page partial, within a second', async () => {
    const { body } = await people.owner.post('/v1/probes', { name: 'p' })
    const probe = new Person(world, body.data.token)
    await probe.get('/v1/probe/get-checks')
    await probe.post('/v1/probe/check-result', { monitor_id: monitorId, status: 'offline', response_time_ms: null })
    await expect.poll(async () => (await published()).body.overall_status).toBe('partial')
    expect((await published()).body).toMatchObject({
      groups: [{ name: 'Core', status: 'partial' }],
      monitors: [{ current_status: 'down', last_check: expect.stringMatching(/Z$/) }],
    })
    expect((await published()).body.uptime_history.at(-1)).toMatchObject({ uptime: 0, hasData: true })
  })

  test('so is the uptime of a monitor on it, under the name it has there', async () => {
    const { status, body } = await ask(world.url, 'GET', `/api/monitors/${monitorId}/uptime`)
    expect(status).toBe(200)
    expect(body).toEqual({
      monitor_id: monitorId,
      name: 'Database',
      current_status: 'down',
      uptime: { '24h': 0, '7d': 0, '30d': 0, '90d': 0 },
      coverage: { '24h': 100, '7d': 100, '30d': 100, '90d': 100 },
      updated_at: expect.stringMatching(/Z$/),
    })
    for (const id of ['999999', 'abc', '0'])
      expect((await ask(world.url, 'GET', `/api/monitors/${id}/uptime`)).status).toBe(404)
  })

  test('the page for people says the same, and escapes what people wrote', async () => {
    await people.owner.patch(`/v1/status-pages/${pageId}`, { title: '<script>alert(1)</script>' })
    await expect.poll(async () => (await ask(world.url, 'GET', '/status/acme')).body).toContain('&lt;script&gt;')
    const { status, body, headers } = await ask(world.url, 'GET', '/status/acme')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body).toContain('Database')
    expect(body).not.toContain('<script>alert')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('an inactive monitor is not on it', async () => {
    await people.owner.patch(`/v1/monitors/${monitorId}`, { is_active: false })
    await expect.poll(async () => (await published()).body.monitors).toEqual([])
    expect((await published()).body.overall_status).toBe('operational')
  })

  test('slugs are found whatever their case, and under the alias', async () => {
    expect((await published('ACME')).status).toBe(200)
    expect((await ask(world.url, 'GET', '/v1/status/acme')).status).toBe(200)
  })

  test('unknown and private are 404 alike', async () => {
    await people.owner.patch(`/v1/status-pages/${pageId}`, { is_public: false })
    await expect.poll(async () => (await published()).status).toBe(404)
    const [hidden, unknown] = [await published(), await published('nobody')]
    expect(hidden.body).toEqual(unknown.body)
    const page = await ask(world.url, 'GET', '/status/acme')
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    await people.owner.patch(`/v1/monitors/${monitorId}`, { is_active: true })
    expect((await ask(world.url, 'GET', `/api/monitors/${monitorId}/uptime`)).status).toBe(404)
  })
})

describe('an assignment', () => {
  const there = () => `/v1/status-pages/${pageId}/monitors`

  test('is changed field by field, and the rest stays', async () => {
    const before = (await people.viewer.get(there())).body.data
    const path = `${there()}/${monitorId}`
    const { status, body } = await people.member.patch(path, { order_index: 7, show_uptime: false })
    expect([status, body.data]).toEqual([200, { ...before[0], order_index: 7, show_uptime: false }])
    expect((await people.viewer.get(there())).body).toMatchObject({ data: [body.data], meta: { total: 1 } })
    await people.member.patch(path, { order_index: before[0].order_index, show_uptime: before[0].show_uptime })
  })

  test('of changes at the same moment none is lost', async () => {
    const path = `${there()}/${monitorId}`
    const [before] = (await people.viewer.get(there())).body.data
    for (let round = 0; round < 10; round++) {
      const wanted = { display_name: `Round ${round}`, group_name: `Group ${round}`, order_index: round }
      const changes = Object.entries(wanted).map(([name, value]) => people.member.patch(path, { [name]: value }))
      for (const { status } of await Promise.all(changes)) expect(status).toBe(200)
      expect((await people.viewer.get(there())).body.data[0]).toMatchObject(wanted)
    }
    const { display_name, group_name, order_index } = before
    await people.member.patch(path, { display_name, group_name, order_index })
  })

  test('is refused to who may not, and what is not there is 404', async () => {
    const path = `${there()}/${monitorId}`
    expect((await people.viewer.patch(path, {})).status).toBe(403)
    expect((await people.stranger.patch(path, {})).status).toBe(404)
    expect((await people.stranger.get(there())).status).toBe(404)
    expect((await people.member.patch(`${there()}/999999`, {})).status).toBe(404)
    expect((await people.member.patch(path, { monitor_id: 5, groupname: 'x' })).body.errors).toEqual({
      groupname: 'unknown field',
    })
    expect((await people.member.post(there(), { monitor_id: 999999 })).body.errors).toEqual({
      monitor_id: 'no such monitor',
    })
  })
})

describe('a preview', () => {
  const path = () => `/v1/status-pages/${pageId}/preview`
  const logo = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`

  test('is the page with what was sent, although it is hidden; and nothing is saved', async () => {
    const before = (await people.viewer.get(`/v1/status-pages/${pageId}`)).body
    const draft = {
      title: 'A <draft>',
      description: 'What we run.',
      language: 'de',
      show_history_days: 30,
      theme: { primary_color: '#aa0011', layout: 'compact-dark' },
      logo,
    }
    const { status, body, headers } = await people.viewer.post(path(), draft)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    const parts = ['<html lang="de"', 'A &lt;draft&gt;', 'What we run.', '--brand:#aa0011', `src="${logo}"`, 'Database']
    for (const part of parts) expect(body).toContain(part)
    expect((await people.viewer.post(path(), {})).body).toContain('&lt;script&gt;alert(1)')
    expect((await people.viewer.get(`/v1/status-pages/${pageId}`)).body).toEqual(before)
  })

  test('what could not be saved is not drawn either; strangers and others find nothing', async () => {
    const { status, body } = await people.member.post(path(), {
      title: 'x',
      theme: { primary_color: 'red}' },
      colour: 1,
    })
    expect([status, Object.keys(body.errors).sort()]).toEqual([422, ['colour', 'theme.primary_color', 'title']])
    expect((await people.stranger.post(path(), {})).status).toBe(404)
    expect((await people.member.post('/v1/status-pages/999999/preview', {})).status).toBe(404)
    expect((await ask(world.url, 'POST', path(), {})).status).toBe(401)
  })
})

describe('who may', () => {
  test('writing needs the scope', async () => {
    const { body } = await people.owner.post('/v1/tokens', { name: 'plain', role: 'owner' })
    const plain = new Person(world, body.data.token)
    expect((await plain.post('/v1/status-pages', { slug: 'plain', title: 'Plain' })).status).toBe(403)
    expect((await plain.patch(`/v1/status-pages/${pageId}`, {})).status).toBe(403)
    expect((await plain.get('/v1/status-pages')).status).toBe(200)
  })

  test('a viewer reads and does not write', async () => {
    const { body } = await people.viewer.get('/v1/status-pages')
    expect(body.data).toEqual([
      {
        id: pageId,
        slug: 'acme',
        title: '<script>alert(1)</script>',
        is_public: false,
        show_history_days: 90,
        language: 'en',
        theme: { primary_color: '#10b981', layout: 'modern-light' },
        monitor_count: 1,
        managed_by: null,
      },
    ])
    expect((await people.viewer.delete(`/v1/status-pages/${pageId}`)).status).toBe(403)
    expect((await people.viewer.post(`/v1/status-pages/${pageId}/monitors`, {})).status).toBe(403)
  })

  test('a stranger finds nothing', async () => {
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      expect(
        (await people.stranger.ask(method, `/v1/status-pages/${pageId}`, method === 'PATCH' ? {} : undefined)).status,
      ).toBe(404)
    }
    expect((await people.stranger.delete(`/v1/status-pages/${pageId}/monitors/${monitorId}`)).status).toBe(404)
  })

  test('a member takes a monitor off, once, and deletes the page', async () => {
    const path = `/v1/status-pages/${pageId}/monitors/${monitorId}`
    expect((await people.member.delete(path)).status).toBe(200)
    expect((await people.member.delete(path)).status).toBe(404)
    expect((await people.member.delete(`/v1/status-pages/${pageId}`)).status).toBe(200)
    expect((await people.member.get(`/v1/status-pages/${pageId}`)).status).toBe(404)
  })
})
