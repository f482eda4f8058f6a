import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { castOf, type People } from '../people.ts'
import { World } from '../world.ts'

let world: World
let people: People
let id: number

const site = { name: 'Shop', type: 'https', target: 'https://shop.example/' }

beforeAll(async () => {
  world = await World.create()
  await world.server()
  people = await castOf(world)
  id = (await people.owner.post('/v1/monitors', site)).body.data.id
})
afterAll(() => world.close())

describe('create', () => {
  test('fills in the defaults and answers 201 with what it made', async () => {
    const { status, body } = await people.member.post('/v1/monitors', { ...site, name: 'Defaults' })
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      message: 'Monitor created',
      data: {
        id: expect.any(Number),
        name: 'Defaults',
        type: 'https',
        target: 'https://shop.example/',
        status: 'pending',
        interval: 60,
        timeout: 10,
        method: 'get',
        ssl_verify: true,
        enabled: true,
        is_active: true,
        options: {},
        last_check_at: null,
        response_time_ms: null,
        uptime_24h: null,
        in_maintenance: false,
        watched: false,
        managed_by: null,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
    })
  })

  test.each([
    ['http', 'http://a.example:8080/path?x=1'],
    ['http', 'http://127.0.0.1/'],
    ['tcp', 'a.example:22'],
    ['ping', 'a.example'],
    ['ping', '::1'],
    ['ssl', 'a.example'],
    ['ssl', 'a.example:8443'],
    ['dns', 'a.example'],
    ['https', 'https://bücher.example/'],
  ])('%s takes %s', async (type, target) => {
    expect((await people.owner.post('/v1/monitors', { name: 'x', type, target })).status).toBe(201)
  })

  test.each([
    ['a URL that is none', { ...site, target: 'shop' }, 'target'],
    ['another scheme', { ...site, target: 'ftp://shop.example/' }, 'target'],
    ['a port that is missing', { ...site, type: 'tcp', target: 'a.example' }, 'target'],
    ['an option in disguise', { ...site, type: 'ping', target: '-f' }, 'target'],
    ['white space', { ...site, type: 'ping', target: 'a b' }, 'target'],
    ['a type nobody knows', { ...site, type: 'smtp' }, 'type'],
    ['the type that only provisioning makes', { ...site, type: 'server' }, 'type'],
    ['an empty name', { ...site, name: '' }, 'name'],
    ['a name too long', { ...site, name: 'x'.repeat(256) }, 'name'],
    ['an interval too short', { ...site, interval: 9 }, 'interval'],
    ['an interval too long', { ...site, interval: 86_401 }, 'interval'],
    ['a broken interval', { ...site, interval: 60.5 }, 'interval'],
    ['a timeout of zero', { ...site, timeout: 0 }, 'timeout'],
    ['a timeout above 60', { ...site, interval: 300, timeout: 61 }, 'timeout'],
    ['a timeout as long as the interval', { ...site, interval: 20, timeout: 20 }, 'timeout'],
    ['an upper-case method', { ...site, method: 'GET' }, 'method'],
    ['a word for a boolean', { ...site, ssl_verify: 'yes' }, 'ssl_verify'],
    ['a field nobody knows', { ...site, intervall: 60 }, 'intervall'],
    ['an option nobody knows', { ...site, options: { keywrod: 'x' } }, 'options.keywrod'],
    ['an option of another type', { ...site, options: { record_type: 'A' } }, 'options.record_type'],
    ['an option out of bounds', { ...site, options: { confirmations: 0 } }, 'options.confirmations'],
  ])('%s is 422 and named', async (_, body, field) => {
    const answer = await people.owner.post('/v1/monitors', body)
    expect([answer.status, answer.body.message, Object.keys(answer.body.errors)]).toEqual([
      422,
      'Validation failed',
      [field],
    ])
  })

  test('all faults are told at once', async () => {
    const { body } = await people.owner.post('/v1/monitors', { name: '', type: 'smtp', interval: 1 })
    expect(Object.keys(body.errors).sort()).toEqual(['interval', 'name', 'target', 'type'])
  })
})

describe('read', () => {
  test('answers the single-resource envelope', async () => {
    const { status, body } = await people.viewer.get(`/v1/monitors/${id}`)
    expect([status, body.success, body.message, body.data.name]).toEqual([200, true, 'Success', 'Shop'])
  })

  test.each(['0', '-1', 'abc', '1.5', '999999', '99999999999999999999'])('id %s is 404', async wrong => {
    expect((await people.owner.get(`/v1/monitors/${wrong}`)).status).toBe(404)
  })
})

describe('PATCH and PUT', () => {
  test('PATCH changes what it names, and nothing else', async () => {
    const { status, body } = await people.member.patch(`/v1/monitors/${id}`, {
      interval: 120,
      options: { keyword: 'ok' },
    })
    expect([status, body.message]).toEqual([200, 'Monitor updated'])
    expect(body.data).toMatchObject({ ...site, interval: 120, options: { keyword: 'ok' } })
    expect((await people.owner.patch(`/v1/monitors/${id}`, {})).body.data.interval).toBe(120)
  })

  test('what was read may be sent back by PUT', async () => {
    const { body } = await people.owner.get(`/v1/monitors/${id}`)
    const { status, body: after } = await people.owner.put(`/v1/monitors/${id}`, { ...body.data, name: 'Shop 2' })
    expect([status, after.data.name, after.data.interval]).toEqual([200, 'Shop 2', 120])
  })

  test('PUT returns absent fields to their defaults', async () => {
    const { body } = await people.owner.put(`/v1/monitors/${id}`, site)
    expect(body.data).toMatchObject({ ...site, interval: 60, options: {} })
  })

  test('the type cannot change', async () => {
    const { status, body } = await people.owner.patch(`/v1/monitors/${id}`, { type: 'http' })
    expect([status, body.errors]).toEqual([422, { type: 'cannot change; it is https' }])
  })

  test('an interval that falls below the timeout is refused', async () => {
    expect((await people.owner.patch(`/v1/monitors/${id}`, { interval: 10 })).body.errors).toHaveProperty('interval')
  })

  test('of changes at the same moment none is lost', async () => {
    for (let round = 0; round < 10; round++) {
      const interval = 100 + round
      const enabled = round % 2 === 0
      const path = `/v1/monitors/${id}`
      await Promise.all([
        people.owner.patch(path, { interval }),
        people.owner.patch(path, { enabled }),
        people.owner.patch(path, { name: `Round ${round}` }),
      ])
      const { body } = await people.owner.get(path)
      const status = enabled ? 'pending' : 'paused'
      expect(body.data).toMatchObject({ interval, enabled, status, name: `Round ${round}` })
    }
    await people.owner.put(`/v1/monitors/${id}`, site)
  })

  test('two changes that are good alone are not made into what neither may be', async () => {
    const path = `/v1/monitors/${id}`
    for (let round = 0; round < 10; round++) {
      await people.owner.patch(path, { interval: 60, timeout: 10 })
      const answers = await Promise.all([
        people.owner.patch(path, { interval: 20 }),
        people.owner.patch(path, { timeout: 30 }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
      const { interval, timeout } = (await people.owner.get(path)).body.data
      expect(timeout).toBeLessThanOrEqual(interval)
    }
    await people.owner.put(path, site)
  })

  test('enabled: false pauses, true makes it pending; is_active is another matter', async () => {
    const status = async (body: object) => (await people.owner.patch(`/v1/monitors/${id}`, body)).body.data.status
    expect(await status({ enabled: false })).toBe('paused')
    expect(await status({ is_active: false })).toBe('paused')
    expect(await status({ enabled: true })).toBe('pending')
    expect(await status({ is_active: true })).toBe('pending')
  })
})

describe('who may', () => {
  const paths = ['', '/checks']

  test('a stranger sees 404 where there is something, and an empty list', async () => {
    for (const path of paths) expect((await people.stranger.get(`/v1/monitors/${id}${path}`)).status).toBe(404)
    expect((await people.stranger.get('/v1/monitors')).body).toMatchObject({ data: [], meta: { total: 0 } })
  })

  test('a stranger cannot write, and is told no more than 404, whatever is sent', async () => {
    for (const body of [{ name: 'mine' }, { nonsense: 1 }, 'not json']) {
      expect((await people.stranger.patch(`/v1/monitors/${id}`, body)).status).toBe(404)
      expect((await people.stranger.put(`/v1/monitors/${id}`, body)).status).toBe(404)
    }
    expect((await people.stranger.delete(`/v1/monitors/${id}`)).status).toBe(404)
  })

  test('a viewer reads', async () => {
    for (const path of paths) expect((await people.viewer.get(`/v1/monitors/${id}${path}`)).status).toBe(200)
    expect((await people.viewer.get('/v1/monitors')).status).toBe(200)
  })

  test('a viewer reads no password of a target', async () => {
    const target = 'https://ada:TOPSECRET@shop.example/'
    const made = await people.owner.post('/v1/monitors', { ...site, name: 'Within', target })
    expect([made.status, made.body.data.target]).toEqual([201, target])
    const path = `/v1/monitors/${made.body.data.id}`
    expect((await people.viewer.get(path)).body.data.target).toBe('https://***@shop.example/')
    expect(JSON.stringify((await people.viewer.get('/v1/monitors?per_page=100')).body)).not.toContain('TOPSECRET')
    await people.owner.delete(path)
  })

  test('a viewer cannot write: 403, before the body is judged', async () => {
    expect((await people.viewer.post('/v1/monitors', 'not json')).status).toBe(403)
    expect((await people.viewer.put(`/v1/monitors/${id}`, {})).status).toBe(403)
    expect((await people.viewer.patch(`/v1/monitors/${id}`, {})).status).toBe(403)
    expect((await people.viewer.delete(`/v1/monitors/${id}`)).status).toBe(403)
    expect((await people.viewer.delete('/v1/monitors/999999')).status).toBe(404)
  })

  test('a member deletes, and it is gone', async () => {
    const { body } = await people.member.delete(`/v1/monitors/${id}`)
    expect(body).toEqual({ success: true, message: 'Monitor deleted', data: null })
    expect((await people.member.get(`/v1/monitors/${id}`)).status).toBe(404)
    expect((await people.member.delete(`/v1/monitors/${id}`)).status).toBe(404)
  })
})

describe('credentials of a check', () => {
  const options = {
    auth: { type: 'basic', username: 'ada', password: 'TOPSECRET' },
    headers: { 'x-api-key': 'TOPSECRET' },
  }

  test('are shown to who may change them, and to a viewer only that they are there', async () => {
    const { id } = (await people.owner.post('/v1/monitors', { ...site, name: 'With a key', options })).body.data
    expect((await people.member.get(`/v1/monitors/${id}`)).body.data.options).toEqual(options)
    const seen = { auth: { ...options.auth, password: '***' }, headers: { 'x-api-key': '***' } }
    expect((await people.viewer.get(`/v1/monitors/${id}`)).body.data.options).toEqual(seen)
    const list = await people.viewer.get('/v1/monitors?name=With%20a%20key')
    expect(list.body.data[0].options).toEqual(seen)
    expect(JSON.stringify([list.body])).not.toContain('TOPSECRET')
  })
})

test('monitors in maintenance can be asked for', async () => {
  const { id: planned } = (await people.owner.post('/v1/monitors', { ...site, name: 'Planned' })).body.data
  const window = { title: 'Now', monitor_ids: [planned], duration: 600 }
  const { body } = await people.owner.post('/v1/maintenance-windows', window)
  expect((await people.viewer.get('/v1/monitors?in_maintenance=true')).body.data).toMatchObject([{ id: planned }])
  const others = (await people.viewer.get('/v1/monitors?in_maintenance=false&per_page=100')).body
  expect(others.data.every((monitor: { in_maintenance: boolean }) => !monitor.in_maintenance)).toBe(true)
  await people.owner.delete(`/v1/maintenance-windows/${body.data.id}`)
  expect((await people.viewer.get('/v1/monitors?in_maintenance=true')).body.meta.total).toBe(0)
})
