import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, castOf, type People } from '../people.ts'
import { World } from '../world.ts'

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const path = '/v1/maintenance-windows'

describe.each(['sqlite', 'postgres'] as const)('maintenance windows, on %s', engine => {
  let place: Awaited<ReturnType<typeof newPlace>>
  let world: World
  let people: People
  let shop: number
  let mail: number
  let theirs: number

  beforeAll(async () => {
    place = await newPlace(engine)
    world = await World.create(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl })
    await world.server()
    people = await castOf(world)
    const monitor = { type: 'tcp', target: 'db.internal:22' }
    shop = (await people.owner.post('/v1/monitors', { ...monitor, name: 'Shop' })).body.data.id
    mail = (await people.owner.post('/v1/monitors', { ...monitor, name: 'Mail' })).body.data.id
    theirs = (await people.stranger.post('/v1/monitors', { ...monitor, name: 'Theirs' })).body.data.id
  })
  afterAll(async () => {
    await world?.close()
    await place?.remove()
  })

  const planned = async (body: object = {}) => {
    const given = { title: 'Upgrade', monitor_ids: [shop], starts_at: later(60), duration: 600, ...body }
    const answer = await people.member.post(path, given)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.data
  }
  const read = async (id: number) => (await people.viewer.get(`${path}/${id}`)).body.data
  const list = async (query = '') => (await people.viewer.get(`${path}${query}`)).body
  const fields = async (body: object) => {
    const given = { title: 'x', monitor_ids: [shop], duration: 600, ...body }
    const answer = await people.owner.post(path, given)
    return [answer.status, Object.keys(answer.body.errors ?? {})]
  }

  const clear = async () => {
    const { data } = await list('?per_page=100')
    await Promise.all(data.map(({ id }: { id: number }) => people.member.delete(`${path}/${id}`)))
  }

  describe('create', () => {
    test('fills in the defaults, starts now, and answers 201 with what it made', async () => {
      const given = { title: 'Upgrade', monitor_ids: [mail, shop], duration: 600 }
      const { status, body } = await people.member.post(path, given)
      expect(status).toBe(201)
      expect(body).toEqual({
        success: true,
        message: 'Maintenance window created',
        data: {
          id: expect.any(Number),
          title: 'Upgrade',
          description: null,
          monitor_ids: [shop, mail],
          all_monitors: false,
          starts_at: time,
          ends_at: time,
          time_zone: 'UTC',
          recurrence: null,
          status: 'active',
          next_start_at: null,
          next_end_at: body.data.ends_at,
          created_at: time,
          managed_by: null,
          updated_at: time,
        },
      })
      expect(body.data.starts_at).toBe(body.data.created_at)
      expect(Date.parse(body.data.ends_at) - Date.parse(body.data.starts_at)).toBe(600_000)
      expect(await read(body.data.id)).toEqual(body.data)
      await people.member.delete(`${path}/${body.data.id}`)
    })

    test('keeps every field as it was given, a rule with what follows from it', async () => {
      const given = {
        title: 'x'.repeat(255),
        description: 'y'.repeat(5000),
        all_monitors: true,
        starts_at: '2090-03-26T01:30:00.000Z',
        ends_at: '2090-03-26T03:30:00.000Z',
        time_zone: 'Europe/Berlin',
        recurrence: {
          frequency: 'weekly',
          interval: 2,
          weekdays: ['sunday', 'tuesday'],
          until: '2090-12-24T00:00:00Z',
        },
      }
      const made = await planned({ ...given, monitor_ids: undefined, duration: undefined })
      expect(made).toMatchObject({
        ...given,
        monitor_ids: [],
        recurrence: { ...given.recurrence, day_of_month: null, until: '2090-12-24T00:00:00.000Z' },
        status: 'scheduled',
        // Clocks skip 02:30 on that Sunday.
        next_start_at: '2090-03-26T01:30:00.000Z',
        next_end_at: '2090-03-26T03:30:00.000Z',
      })
      expect(await read(made.id)).toEqual(made)
    })

    test.each([
      ['an empty title', { title: '' }, 'title'],
      ['a title too long', { title: 'x'.repeat(256) }, 'title'],
      ['a description too long', { description: 'x'.repeat(5001) }, 'description'],
      ['less than a minute', { duration: 59 }, 'duration'],
      ['more than 30 days', { duration: 30 * 86_400 + 1 }, 'duration'],
      ['no end', { duration: undefined }, 'ends_at'],
      ['two ends', { ends_at: '2090-01-01T00:00:00Z' }, 'ends_at'],
      [
        'an end before its start',
        { starts_at: '2090-01-02T00:00:00Z', duration: undefined, ends_at: '2090-01-01T00:00:00Z' },
        'ends_at',
      ],
      ['a start that is no time', { starts_at: 'tomorrow' }, 'starts_at'],
      ['no monitor', { monitor_ids: [] }, 'monitor_ids'],
      ['a monitor that is none', { monitor_ids: [999_999] }, 'monitor_ids'],
      ['monitors and all of them', { all_monitors: true }, 'monitor_ids'],
      ['a zone that is none', { time_zone: 'Mars/Base' }, 'time_zone'],
      ['a frequency nobody knows', { recurrence: { frequency: 'hourly' } }, 'recurrence.frequency'],
      ['a rule without a frequency', { recurrence: {} }, 'recurrence.frequency'],
      ['a rule with a field nobody knows', { recurrence: { frequency: 'daily', count: 3 } }, 'recurrence.count'],
      ['an interval of none', { recurrence: { frequency: 'daily', interval: 0 } }, 'recurrence.interval'],
      ['weekdays of a month', { recurrence: { frequency: 'monthly', weekdays: ['monday'] } }, 'recurrence.weekdays'],
      ['a weekday nobody knows', { recurrence: { frequency: 'weekly', weekdays: ['mon'] } }, 'recurrence.weekdays.0'],
      ['the 32nd', { recurrence: { frequency: 'monthly', day_of_month: 32 } }, 'recurrence.day_of_month'],
      ['one that would not end', { recurrence: { frequency: 'daily' }, duration: 86_400 }, 'ends_at'],
      [
        'one that never comes',
        { recurrence: { frequency: 'daily', until: '2020-01-01T00:00:00Z' } },
        'recurrence.until',
      ],
      ['a field nobody knows', { monitors: [1] }, 'monitors'],
    ])('%s is 422 and named', async (_, body, field) => {
      const [status, named] = await fields(body)
      expect([status, named]).toEqual([422, [field]])
    })

    test("another team's monitors are not there to name", async () => {
      const answer = await people.owner.post(path, { title: 'x', monitor_ids: [shop, theirs], duration: 60 })
      expect(answer.body.errors).toEqual({ monitor_ids: `no such monitor: ${theirs}` })
      const { id } = await planned()
      expect((await people.owner.patch(`${path}/${id}`, { monitor_ids: [theirs] })).status).toBe(422)
      expect((await read(id)).monitor_ids).toEqual([shop])
    })

    test('without any required field it is 400', async () => {
      expect((await people.owner.post(path, { duration: 60 })).status).toBe(400)
      expect((await people.owner.post(path, 'not json')).body.message).toBe('Invalid JSON input')
    })
  })

  describe('change', () => {
    test('PATCH changes what it names', async () => {
      const made = await planned({ description: 'Disk' })
      const { status, body } = await people.member.patch(`${path}/${made.id}`, { title: 'Other' })
      expect([status, body.message]).toEqual([200, 'Maintenance window updated'])
      expect(body.data).toEqual({ ...made, title: 'Other', updated_at: time })
      const all = await people.member.patch(`${path}/${made.id}`, { all_monitors: true })
      expect(all.body.data).toMatchObject({ all_monitors: true, monitor_ids: [] })
      const some = await people.member.patch(`${path}/${made.id}`, { monitor_ids: [mail] })
      expect(some.body.data).toMatchObject({ all_monitors: false, monitor_ids: [mail] })
      expect(await read(made.id)).toEqual(some.body.data)
    })

    test('PUT returns what it does not name to the defaults', async () => {
      const made = await planned({
        description: 'Disk',
        time_zone: 'Europe/Berlin',
        recurrence: { frequency: 'weekly' },
      })
      const put = { title: 'New', monitor_ids: [mail], duration: 60 }
      const { body } = await people.member.put(`${path}/${made.id}`, put)
      expect(body.data).toMatchObject({
        title: 'New',
        description: null,
        monitor_ids: [mail],
        starts_at: made.created_at,
        time_zone: 'UTC',
        recurrence: null,
      })
    })

    test('what was read can be put back, changed', async () => {
      const made = await planned({ recurrence: { frequency: 'monthly', day_of_month: 31 } })
      const { status, body } = await people.member.put(`${path}/${made.id}`, { ...made, title: 'New' })
      expect([status, body.data]).toEqual([200, { ...made, title: 'New', updated_at: time }])
    })

    test('one that is active is ended by an end that is past, however short it was', async () => {
      const made = await planned({ starts_at: undefined })
      expect(made.status).toBe('active')
      const ends_at = new Date(Date.parse(made.starts_at) + 1).toISOString()
      const { status, body } = await people.member.patch(`${path}/${made.id}`, { ends_at })
      expect([status, body.data.status, body.data.next_end_at]).toEqual([200, 'ended', null])
      expect((await people.member.put(`${path}/${made.id}`, { ...body.data, title: 'Over' })).status).toBe(200)
    })

    test('changes that come at once are all kept', async () => {
      const { id } = await planned()
      const changes = [{ title: 'A' }, { description: 'B' }, { monitor_ids: [mail] }, { time_zone: 'Asia/Tokyo' }]
      const answers = await Promise.all(changes.map(change => people.member.patch(`${path}/${id}`, change)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(await read(id)).toMatchObject(Object.assign({}, ...changes))
    })
  })

  describe('list', () => {
    test('the latest start comes first, pages follow each other', async () => {
      const first = await planned({ starts_at: '2089-01-01T00:00:00Z', title: 'Far' })
      const { data, meta } = await list('?per_page=100')
      const starts = data.map((window: { starts_at: string }) => window.starts_at)
      expect(starts).toEqual(starts.toSorted().reverse())
      expect(data).toContainEqual(first)
      const pages = await Promise.all([1, 2, 3].map(page => list(`?per_page=2&page=${page}`)))
      expect(pages.flatMap(page => page.data)).toEqual(data.slice(0, 6))
      expect(pages[0].meta).toMatchObject({ total: meta.total, per_page: 2 })
      expect((await list('?page=1000')).data).toEqual([])
    })

    test('is filtered and sorted by what it shows, the status of the moment too', async () => {
      await clear()
      const ended = await planned({ title: 'Ended', starts_at: later(-60) })
      const active = await planned({ title: 'Active', starts_at: later(-1) })
      const coming = await planned({ title: 'Coming', starts_at: later(1), description: 'z' })
      const ids = async (query: string) =>
        (await list(`?per_page=100&${query}`)).data.map(({ id }: { id: number }) => id)
      expect(await ids('status=ended&title=Ended')).toEqual([ended.id])
      expect(await ids('status=active')).toContain(active.id)
      expect(await ids('status=active')).not.toContain(coming.id)
      expect(await ids('status=scheduled&description=z')).toEqual([coming.id])
      expect(await ids(`starts_at=${encodeURIComponent(coming.starts_at.replace('Z', '+00:00'))}`)).toEqual([coming.id])
      expect((await ids('sort=next_end_at'))[0]).toBe(active.id)
      expect((await ids('sort=-status')).indexOf(coming.id)).toBeLessThan(
        (await ids('sort=-status')).indexOf(active.id),
      )
      expect((await list('?sort=-next_start_at&per_page=100')).data.at(-1).next_start_at).toBeNull()
    })

    test.each([
      'status=over',
      'sort=monitor_ids',
      'sort=recurrence',
      'monitor_ids=1',
      'sort=id,title,status,starts_at',
    ])('%s is 422', async query => {
      expect((await people.viewer.get(`${path}?${query}`)).status).toBe(422)
    })
  })

  describe('who may', () => {
    test('a viewer reads and does not write, before the body is judged', async () => {
      const { id } = await planned()
      expect((await people.viewer.get(path)).status).toBe(200)
      expect((await people.viewer.get(`${path}/${id}`)).status).toBe(200)
      expect((await people.viewer.post(path, 'not json')).status).toBe(403)
      expect((await people.viewer.put(`${path}/${id}`, {})).status).toBe(403)
      expect((await people.viewer.patch(`${path}/${id}`, {})).status).toBe(403)
      expect((await people.viewer.delete(`${path}/${id}`)).status).toBe(403)
    })

    test('a stranger finds nothing, whatever is sent', async () => {
      const { id } = await planned()
      expect((await people.stranger.get(`${path}/${id}`)).status).toBe(404)
      expect((await people.stranger.get(path)).body).toMatchObject({ data: [], meta: { total: 0 } })
      for (const body of [{ title: 'mine' }, { nonsense: 1 }, 'not json']) {
        expect((await people.stranger.put(`${path}/${id}`, body)).status).toBe(404)
        expect((await people.stranger.patch(`${path}/${id}`, body)).status).toBe(404)
      }
      expect((await people.stranger.delete(`${path}/${id}`)).status).toBe(404)
      expect((await read(id)).title).toBe('Upgrade')
    })

    test('nobody gets anywhere', async () => {
      const { id } = await planned()
      for (const [method, to] of [
        ['GET', path],
        ['POST', path],
        ['GET', `${path}/${id}`],
        ['PUT', `${path}/${id}`],
        ['PATCH', `${path}/${id}`],
        ['DELETE', `${path}/${id}`],
      ] as const) {
        expect((await ask(world.url, method, to, method === 'GET' ? undefined : {})).status, method).toBe(401)
      }
    })

    test('a member deletes, and it is gone', async () => {
      const { id } = await planned()
      const { body } = await people.member.delete(`${path}/${id}`)
      expect(body).toEqual({ success: true, message: 'Maintenance window deleted', data: null })
      expect((await people.member.get(`${path}/${id}`)).status).toBe(404)
      expect((await people.member.delete(`${path}/${id}`)).status).toBe(404)
    })

    test.each(['0', '-1', 'x', '1.5', '999999'])('%s is no window', async id => {
      expect((await people.owner.get(`${path}/${id}`)).status).toBe(404)
    })
  })

  test('a monitor says whether it is in maintenance, at once after any change', async () => {
    const inMaintenance = async (id: number) => (await people.viewer.get(`/v1/monitors/${id}`)).body.data.in_maintenance
    await clear()
    expect(await inMaintenance(mail)).toBe(false)
    const { id } = await planned({ monitor_ids: [mail], starts_at: later(-1) })
    expect(await inMaintenance(mail)).toBe(true)
    expect(await inMaintenance(shop)).toBe(false)
    await people.member.patch(`${path}/${id}`, { all_monitors: true })
    expect(await inMaintenance(shop)).toBe(true)
    expect((await people.stranger.get(`/v1/monitors/${theirs}`)).body.data.in_maintenance).toBe(false)
    await people.member.patch(`${path}/${id}`, { monitor_ids: [shop] })
    expect(await inMaintenance(mail)).toBe(false)
    await people.member.delete(`${path}/${id}`)
    expect(await inMaintenance(shop)).toBe(false)
    const { body } = await people.viewer.get('/v1/monitors')
    expect(body.data.map((monitor: { in_maintenance: boolean }) => monitor.in_maintenance)).toEqual([false, false])
    const monitor = await people.viewer.get(`/v1/monitors/${shop}`)
    expect((await people.member.put(`/v1/monitors/${shop}`, monitor.body.data)).status).toBe(200)
  })

  test('a monitor that is deleted leaves its windows, which stay', async () => {
    const gone = (await people.owner.post('/v1/monitors', { name: 'Gone', type: 'tcp', target: 'a.example:22' })).body
      .data.id
    const { id } = await planned({ monitor_ids: [gone, shop] })
    await people.owner.delete(`/v1/monitors/${gone}`)
    expect((await read(id)).monitor_ids).toEqual([shop])
  })

  test('a thousand at most: those that are over make room, others do not', async () => {
    const { stranger } = people
    const window = (starts_at: string) => ({ title: 'x', all_monitors: true, starts_at, duration: 60 })
    const ended = (await stranger.post(path, window(later(-60)))).body.data.id
    const starts_at = later(600)
    for (let made = 1; made < 1000; made += 111) {
      await Promise.all(Array.from({ length: 111 }, () => stranger.post(path, window(starts_at))))
    }
    expect((await stranger.get(path)).body.meta.total).toBe(1000)
    expect((await stranger.post(path, window(starts_at))).status).toBe(201)
    expect((await stranger.get(`${path}/${ended}`)).status).toBe(404)
    const { status, body } = await stranger.post(path, window(starts_at))
    expect([status, body.code]).toEqual([409, 'conflict'])
    expect((await stranger.get(path)).body.meta.total).toBe(1000)
  })
})
