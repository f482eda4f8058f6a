import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { castOf, type People } from '../people.ts'
import { World } from '../world.ts'

let world: World
let people: People
let shop: number
let mail: number
let page: number
let theirMonitor: number
let theirPage: number

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

beforeAll(async () => {
  world = await World.create()
  await world.server()
  people = await castOf(world)
  const monitor = { type: 'tcp', target: 'db.internal:22' }
  shop = (await people.owner.post('/v1/monitors', { ...monitor, name: 'Shop' })).body.data.id
  mail = (await people.owner.post('/v1/monitors', { ...monitor, name: 'Mail' })).body.data.id
  page = (await people.owner.post('/v1/status-pages', { slug: 'acme', title: 'Acme' })).body.data.id
  theirMonitor = (await people.stranger.post('/v1/monitors', { ...monitor, name: 'Theirs' })).body.data.id
  theirPage = (await people.stranger.post('/v1/status-pages', { slug: 'theirs', title: 'Theirs' })).body.data.id
})
afterAll(() => world.close())

const created = async (body: object = {}) =>
  (await people.member.post('/v1/incidents', { title: 'Checkout is slow', ...body })).body.data
const read = async (id: number) => (await people.viewer.get(`/v1/incidents/${id}`)).body.data

describe('create', () => {
  test('fills in the defaults and answers 201 with what it made', async () => {
    const { status, body } = await people.member.post('/v1/incidents', { title: 'Checkout is slow' })
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      message: 'Incident created',
      data: {
        id: expect.any(Number),
        title: 'Checkout is slow',
        description: null,
        status: 'investigating',
        severity: 'major',
        monitor_ids: [],
        status_page_ids: [],
        started_at: time,
        source: 'manual',
        resolved_at: null,
        updates: [],
        created_at: time,
        updated_at: time,
      },
    })
    expect(body.data.started_at).toBe(body.data.created_at)
    expect((await people.viewer.get(`/v1/incidents/${body.data.id}`)).body.data).toEqual(body.data)
  })

  test('keeps every field as it was given', async () => {
    const given = {
      title: 'x'.repeat(255),
      description: 'y'.repeat(5000),
      status: 'identified',
      severity: 'critical',
      monitor_ids: [mail, shop],
      status_page_ids: [page],
      started_at: '2026-01-02T03:04:05.678Z',
    }
    const { id } = await created(given)
    expect(await read(id)).toMatchObject({ ...given, source: 'manual', resolved_at: null })
  })

  test('one that is over already has its end', async () => {
    const made = await created({ status: 'resolved', started_at: '2026-01-02T03:04:05.000Z' })
    expect(made.resolved_at).toBe(made.created_at)
  })

  test.each(['investigating', 'identified', 'monitoring', 'resolved'])('may be %s', async status => {
    expect(await created({ status })).toMatchObject({ status })
  })

  test.each(['minor', 'major', 'critical'])('may be %s', async severity => {
    expect(await created({ severity })).toMatchObject({ severity })
  })

  const later = new Date(Date.now() + 3_600_000).toISOString()
  test.each([
    ['an empty title', { title: '' }, 'title'],
    ['a title too long', { title: 'x'.repeat(256) }, 'title'],
    ['a description too long', { description: 'x'.repeat(5001) }, 'description'],
    ['a status nobody knows', { status: 'open' }, 'status'],
    ['an upper-case status', { status: 'Resolved' }, 'status'],
    ['a severity nobody knows', { severity: 'none' }, 'severity'],
    ['a monitor that is none', { monitor_ids: [999_999] }, 'monitor_ids'],
    ['a page that is none', { status_page_ids: [999_999] }, 'status_page_ids'],
    ['a start in the future', { started_at: later }, 'started_at'],
    ['a start that is no time', { started_at: 'yesterday' }, 'started_at'],
    ['a field nobody knows', { monitors: [1] }, 'monitors'],
  ])('%s is 422 and named', async (_, body, field) => {
    const answer = await people.owner.post('/v1/incidents', { title: 'x', ...body })
    expect([answer.status, answer.body.message, Object.keys(answer.body.errors)]).toEqual([
      422,
      'Validation failed',
      [field],
    ])
  })

  test('the same monitor twice, and ids that are none, are 422', async () => {
    for (const ids of [[shop, shop], [0], ['1'], 'all']) {
      const { status, body } = await people.owner.post('/v1/incidents', { title: 'x', monitor_ids: ids })
      expect([status, Object.keys(body.errors)[0]]).toEqual([422, expect.stringMatching(/^monitor_ids/)])
    }
  })

  test("another team's monitors and pages are not there to name, both told at once", async () => {
    const body = { title: 'x', monitor_ids: [shop, theirMonitor], status_page_ids: [theirPage] }
    expect((await people.owner.post('/v1/incidents', body)).body.errors).toEqual({
      monitor_ids: `no such monitor: ${theirMonitor}`,
      status_page_ids: `no such status page: ${theirPage}`,
    })
    const { id } = await created()
    expect((await people.owner.patch(`/v1/incidents/${id}`, body)).status).toBe(422)
    expect((await people.owner.put(`/v1/incidents/${id}`, body)).status).toBe(422)
    expect(await read(id)).toMatchObject({ title: 'Checkout is slow', monitor_ids: [] })
  })

  test('without any required field it is 400', async () => {
    expect((await people.owner.post('/v1/incidents', { severity: 'minor' })).status).toBe(400)
    expect((await people.owner.post('/v1/incidents', 'not json')).body.message).toBe('Invalid JSON input')
  })
})

describe('change', () => {
  test('PATCH changes what it names', async () => {
    const made = await created({ monitor_ids: [shop], status_page_ids: [page], description: 'Disk' })
    const { status, body } = await people.member.patch(`/v1/incidents/${made.id}`, { severity: 'minor' })
    expect([status, body.message]).toEqual([200, 'Incident updated'])
    expect(body.data).toEqual({ ...made, severity: 'minor', updated_at: time })
    await people.member.patch(`/v1/incidents/${made.id}`, { monitor_ids: [mail, shop], status_page_ids: [] })
    expect(await read(made.id)).toMatchObject({ monitor_ids: [mail, shop], status_page_ids: [], description: 'Disk' })
  })

  test('PUT returns what it does not name to the defaults', async () => {
    const made = await created({ monitor_ids: [shop], severity: 'minor', description: 'Disk', status: 'resolved' })
    const { body } = await people.member.put(`/v1/incidents/${made.id}`, { title: 'New' })
    expect(body.data).toMatchObject({
      title: 'New',
      description: null,
      severity: 'major',
      status: 'investigating',
      monitor_ids: [],
      resolved_at: null,
      started_at: made.created_at,
    })
  })

  test('what was read can be put back, changed', async () => {
    const made = await created({ monitor_ids: [shop] })
    const { status, body } = await people.member.put(`/v1/incidents/${made.id}`, { ...made, title: 'New' })
    expect([status, body.data]).toEqual([200, { ...made, title: 'New', updated_at: time }])
  })

  test('resolving sets resolved_at, staying resolved keeps it, reopening clears it', async () => {
    const { id } = await created()
    const change = async (body: object) => (await people.member.patch(`/v1/incidents/${id}`, body)).body.data
    const { resolved_at } = await change({ status: 'resolved' })
    expect(resolved_at).toEqual(time)
    expect(await change({ title: 'Over' })).toMatchObject({ resolved_at, status: 'resolved' })
    expect(await change({ status: 'investigating' })).toMatchObject({ resolved_at: null, status: 'investigating' })
  })
})

describe('updates', () => {
  test('say what is new and move the status', async () => {
    const { id } = await created()
    const path = `/v1/incidents/${id}/updates`
    const first = await people.member.post(path, { message: 'Found it.', status: 'identified' })
    expect([first.status, first.body]).toEqual([
      201,
      {
        success: true,
        message: 'Update added',
        data: { id: expect.any(Number), message: 'Found it.', status: 'identified', created_at: time },
      },
    ])
    expect(await read(id)).toMatchObject({ status: 'identified', resolved_at: null })
    const second = await people.member.post(path, { message: 'Still at it.' })
    expect(second.body.data).toMatchObject({ status: 'identified' })
    const third = await people.member.post(path, { message: 'Over.', status: 'resolved' })
    const incident = await read(id)
    expect(incident).toMatchObject({ status: 'resolved', resolved_at: third.body.data.created_at })
    expect(incident.updates).toEqual([first, second, third].map(({ body }) => body.data))
    await people.member.post(path, { message: 'It is back.', status: 'monitoring' })
    expect(await read(id)).toMatchObject({ status: 'monitoring', resolved_at: null })
  })

  test('that come at once are all kept', async () => {
    const { id } = await created()
    const messages = Array.from({ length: 8 }, (_, index) => `Update ${index}`)
    const answers = await Promise.all(
      messages.map(message => people.member.post(`/v1/incidents/${id}/updates`, { message })),
    )
    expect(answers.map(({ status }) => status)).toEqual(messages.map(() => 201))
    const { updates } = await read(id)
    expect(updates.map((update: { message: string }) => update.message).sort()).toEqual(messages)
    expect(new Set(updates.map((update: { id: number }) => update.id)).size).toBe(8)
  })

  test.each([
    [{ message: '' }, 422, 'message'],
    [{ message: 'x'.repeat(5001) }, 422, 'message'],
    [{ message: 'x', status: 'closed' }, 422, 'status'],
    [{ message: 'x', state: 'resolved' }, 422, 'state'],
    [{ status: 'resolved' }, 400, undefined],
  ])('%j is %i', async (body, status, field) => {
    const { id } = await created()
    const answer = await people.owner.post(`/v1/incidents/${id}/updates`, body)
    expect([answer.status, Object.keys(answer.body.errors)[0]]).toEqual([status, field])
    expect(await read(id)).toMatchObject({ status: 'investigating', updates: [] })
  })
})

describe('list', () => {
  const ids = async (query: string) =>
    (await people.viewer.get(`/v1/incidents${query}`)).body.data.map((incident: { id: number }) => incident.id)

  test('the latest start comes first; it shows everything but the timeline', async () => {
    const old = await created({ started_at: '2020-01-01T00:00:00.000Z', title: 'Old', monitor_ids: [shop] })
    const { body } = await people.viewer.get('/v1/incidents?per_page=100')
    const starts = body.data.map((incident: { started_at: string }) => incident.started_at)
    expect(starts).toEqual(starts.toSorted().reverse())
    const { updates: _, ...shown } = old
    expect(body.data.at(-1)).toEqual(shown)
  })

  test('is filtered and sorted by what it shows', async () => {
    const { id } = await created({ title: 'Aardvark', severity: 'critical', status: 'monitoring' })
    expect(await ids('?status=monitoring&severity=critical&title=Aardvark')).toEqual([id])
    expect((await ids('?sort=title'))[0]).toBe(id)
    expect(await ids('?source=automatic')).toEqual([])
    expect(await ids('?started_at=2020-01-01T00:00:00.000Z')).toHaveLength(1)
  })

  test('is filtered by a monitor that is affected, whatever opened it, with its own count', async () => {
    const both = await created({ monitor_ids: [mail, shop], severity: 'minor', title: 'Both' })
    const answer = (await people.viewer.get(`/v1/incidents?monitor_id=${mail}&per_page=100`)).body
    expect(answer.data.length).toBeGreaterThan(0)
    for (const { monitor_ids } of answer.data) expect(monitor_ids).toContain(mail)
    const all = (await people.viewer.get('/v1/incidents?per_page=100')).body.data as { monitor_ids: number[] }[]
    expect(answer.meta.total).toBe(all.filter(each => each.monitor_ids.includes(mail)).length)
    expect(await ids(`?monitor_id=${mail}&severity=minor&title=Both`)).toEqual([both.id])
    const first = (await people.viewer.get(`/v1/incidents?monitor_id=${mail}&per_page=1`)).body
    expect(first.links.last).toContain(`monitor_id=${mail}`)
    expect(await ids(`?monitor_id=${theirMonitor}`)).toEqual([])
    expect((await people.stranger.get(`/v1/incidents?monitor_id=${mail}`)).body.data).toEqual([])
  })

  test.each([
    'monitor_id=x',
    'monitor_id=0',
    'sort=monitor_id',
    'status=open',
    'severity=none',
    'source=robot',
    'sort=monitor_ids',
    'monitor_ids=1',
    'updates=1',
  ])('%s is 422', async query => {
    expect((await people.viewer.get(`/v1/incidents?${query}`)).status).toBe(422)
  })
})

describe('who may', () => {
  test('a viewer reads and does not write, before the body is judged', async () => {
    const { id } = await created()
    expect((await people.viewer.get('/v1/incidents')).status).toBe(200)
    expect((await people.viewer.get(`/v1/incidents/${id}`)).status).toBe(200)
    expect((await people.viewer.post('/v1/incidents', 'not json')).status).toBe(403)
    expect((await people.viewer.put(`/v1/incidents/${id}`, {})).status).toBe(403)
    expect((await people.viewer.patch(`/v1/incidents/${id}`, {})).status).toBe(403)
    expect((await people.viewer.post(`/v1/incidents/${id}/updates`, {})).status).toBe(403)
    expect((await people.viewer.delete(`/v1/incidents/${id}`)).status).toBe(403)
  })

  test('a stranger finds nothing, whatever is sent', async () => {
    const { id } = await created()
    const path = `/v1/incidents/${id}`
    expect((await people.stranger.get(path)).status).toBe(404)
    expect((await people.stranger.get('/v1/incidents')).body).toMatchObject({ data: [], meta: { total: 0 } })
    for (const body of [{ title: 'mine' }, { nonsense: 1 }, 'not json']) {
      expect((await people.stranger.put(path, body)).status).toBe(404)
      expect((await people.stranger.patch(path, body)).status).toBe(404)
      expect((await people.stranger.post(`${path}/updates`, body)).status).toBe(404)
    }
    expect((await people.stranger.delete(path)).status).toBe(404)
    expect(await read(id)).toMatchObject({ title: 'Checkout is slow', updates: [] })
  })

  test('a member deletes, and it is gone', async () => {
    const { id } = await created({ monitor_ids: [shop], status_page_ids: [page] })
    const { body } = await people.member.delete(`/v1/incidents/${id}`)
    expect(body).toEqual({ success: true, message: 'Incident deleted', data: null })
    expect((await people.member.get(`/v1/incidents/${id}`)).status).toBe(404)
    expect((await people.member.delete(`/v1/incidents/${id}`)).status).toBe(404)
    expect((await people.member.post(`/v1/incidents/${id}/updates`, { message: 'x' })).status).toBe(404)
  })

  test.each(['0', '-1', 'x', '1.5', '999999'])('%s is no incident', async id => {
    expect((await people.owner.get(`/v1/incidents/${id}`)).status).toBe(404)
  })
})

test('a monitor or a page that is deleted leaves its incidents, which stay', async () => {
  const gone = { name: 'Gone', type: 'tcp', target: 'a.example:22' }
  const monitor = (await people.owner.post('/v1/monitors', gone)).body.data.id
  const slug = { slug: 'gone', title: 'Gone' }
  const other = (await people.owner.post('/v1/status-pages', slug)).body.data.id
  const made = await created({ monitor_ids: [monitor, shop], status_page_ids: [other, page] })
  await people.owner.delete(`/v1/monitors/${monitor}`)
  await people.owner.delete(`/v1/status-pages/${other}`)
  expect(await read(made.id)).toEqual({ ...made, monitor_ids: [shop], status_page_ids: [page] })
})
