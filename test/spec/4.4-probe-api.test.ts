import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { castOf, type People, Person } from '../people.ts'
import { World } from '../world.ts'

let world: World
let people: People
let one: Person
let two: Person

beforeAll(async () => {
  world = await World.create()
  await world.server()
  people = await castOf(world)
  one = await provision(people.owner, 'one')
  two = await provision(people.owner, 'two')
})
afterAll(() => world.close())

async function provision(by: Person, name: string): Promise<Person> {
  const { status, body } = await by.post('/v1/probes', { name })
  expect([status, body.data.name, body.data.region]).toEqual([201, name, 'default'])
  return new Person(world, body.data.token)
}

async function monitor(more: object = {}): Promise<number> {
  const { body } = await people.owner.post('/v1/monitors', { name: 'm', type: 'tcp', target: 'a.example:22', ...more })
  return body.data.id
}

/** Everything that is due, leased by this probe. */
async function fetchAll(probe: Person, query = '?limit=1000') {
  const { status, body } = await probe.get(`/v1/probe/get-checks${query}`)
  expect(status).toBe(200)
  return body.data as { monitor_id: number; run_id: string }[]
}

const statusOf = async (id: number) => (await people.owner.get(`/v1/monitors/${id}`)).body.data.status
const submit = (probe: Person, body: object) => probe.post('/v1/probe/check-result', body)

describe('get-checks', () => {
  test('gives what is due, with everything a probe needs', async () => {
    const id = await monitor({ name: 'needs', interval: 30, timeout: 5, options: { expect: 'SSH' } })
    const { body } = await one.get('/v1/probe/get-checks?limit=1000')
    expect(body.data.find((check: { monitor_id: number }) => check.monitor_id === id)).toEqual({
      run_id: expect.any(String),
      monitor_id: id,
      type: 'tcp',
      target: 'a.example:22',
      method: 'get',
      interval: 30,
      timeout: 5,
      ssl_verify: true,
      options: { expect: 'SSH' },
      due_at: expect.stringMatching(/Z$/),
      lease_until: expect.stringMatching(/Z$/),
    })
    expect(Math.abs(Date.parse(body.meta.server_time) - Date.now())).toBeLessThan(5000)
    expect(body.meta.poll_after_seconds).toBeGreaterThan(0)
  })

  test('gives nothing twice, to nobody', async () => {
    await monitor()
    const [first, second] = await Promise.all([fetchAll(one), fetchAll(two)])
    expect(first.length + second.length).toBe(1)
    expect([...(await fetchAll(one)), ...(await fetchAll(two))]).toEqual([])
  })

  test('a paused monitor is not due; a resumed or changed one is at once', async () => {
    const id = await monitor()
    await fetchAll(one)
    await people.owner.patch(`/v1/monitors/${id}`, { enabled: false })
    expect(await fetchAll(two)).toEqual([])
    await people.owner.patch(`/v1/monitors/${id}`, { enabled: true })
    expect(await fetchAll(two)).toMatchObject([{ monitor_id: id }])
    await people.owner.patch(`/v1/monitors/${id}`, { interval: 90 })
    expect(await fetchAll(one)).toMatchObject([{ monitor_id: id, interval: 90 }])
  })

  test('limit bounds a page, and a full page says to ask again at once', async () => {
    await monitor()
    await monitor()
    const { body } = await one.get('/v1/probe/get-checks?limit=1')
    expect([body.data.length, body.meta.poll_after_seconds]).toEqual([1, 0])
    expect(await fetchAll(one)).toHaveLength(1)
  })

  test('a horizon gives what falls due within it, held until then', async () => {
    const id = await monitor({ interval: 60 })
    const [due] = await fetchAll(one)
    await submit(one, { monitor_id: id, run_id: due?.run_id, status: 'online', response_time_ms: 5 })
    expect(await fetchAll(two)).toEqual([])
    const held = await fetchAll(two, '?limit=1000&horizon=70')
    expect(held.map(check => check.monitor_id)).toContain(id)
    expect(await fetchAll(one, '?limit=1000&horizon=70')).toEqual([])
  })

  test('a probe that has just started asks back what it was leased, and nothing of others', async () => {
    // One that asks ahead has a share of what is due; this one does not any more.
    await fetchAll(two)
    const id = await monitor()
    await fetchAll(one, '?limit=1000&horizon=60')
    expect(await fetchAll(two, '?limit=1000&release=true')).toEqual([])
    const again = await fetchAll(one, '?limit=1000&horizon=60&release=true')
    expect(again.map(check => check.monitor_id)).toContain(id)
  })

  test.each(['limit=0', 'limit=1001', 'limit=x', 'horizon=-1'])('%s is 422', async query => {
    expect((await one.get(`/v1/probe/get-checks?${query}`)).status).toBe(422)
  })
})

describe('check-result', () => {
  test('the three fields of the specification are enough', async () => {
    const id = await monitor()
    await fetchAll(one)
    const { status, body } = await submit(one, { monitor_id: id, status: 'online', response_time_ms: 12.5 })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      message: 'Result accepted',
      data: { monitor_id: id, status: 'online' },
    })
    const { body: read } = await people.viewer.get(`/v1/monitors/${id}`)
    expect(read.data).toMatchObject({ status: 'online', response_time_ms: 12.5, uptime_24h: 100 })
  })

  test('up and down mean online and offline, and unknown fields are passed over', async () => {
    const id = await monitor({ options: { confirmations: 1 } })
    await fetchAll(one)
    expect((await submit(one, { monitor_id: id, status: 'up', response_time_ms: 1, weather: 'fine' })).status).toBe(200)
    expect(await statusOf(id)).toBe('online')
    await submit(one, { monitor_id: id, status: 'down', response_time_ms: null })
    expect(await statusOf(id)).toBe('offline')
  })

  test('the same run twice is one check', async () => {
    const id = await monitor()
    await fetchAll(one)
    const result = { monitor_id: id, status: 'offline', response_time_ms: null, run_id: 'run-1' }
    for (let again = 0; again < 3; again++) expect((await submit(one, result)).status).toBe(200)
    await Promise.all([1, 2, 3].map(() => submit(one, { ...result, run_id: 'run-2' })))
    expect((await people.owner.get(`/v1/monitors/${id}/checks`)).body.meta.total).toBe(2)
    expect(await statusOf(id)).toBe('offline')
  })

  test('one failure is no verdict, and the next check is soon', async () => {
    const id = await monitor({ interval: 3600, timeout: 5, options: { retry_interval: 7 } })
    await fetchAll(one)
    const { body } = await submit(one, { monitor_id: id, status: 'offline', response_time_ms: null })
    expect(body.data.status).toBe('pending')
    const wait = Date.parse(body.data.next_due_at) - Date.now()
    expect(wait).toBeGreaterThan(2000)
    expect(wait).toBeLessThan(7500)
  })

  test("a probe's own trouble changes nothing and counts for nothing", async () => {
    const id = await monitor({ options: { confirmations: 1 } })
    await fetchAll(one)
    await submit(one, { monitor_id: id, status: 'online', response_time_ms: 1 })
    await submit(one, { monitor_id: id, status: 'error', error_kind: 'probe_network', response_time_ms: null })
    const { body } = await people.owner.get(`/v1/monitors/${id}`)
    expect(body.data).toMatchObject({ status: 'online', uptime_24h: 100 })
  })

  test('a late result is history, and moves nothing', async () => {
    const id = await monitor({ options: { confirmations: 1 } })
    await fetchAll(one)
    await submit(one, { monitor_id: id, status: 'online', response_time_ms: 1 })
    const checked_at = new Date(Date.now() - 600_000).toISOString()
    await submit(one, { monitor_id: id, status: 'offline', response_time_ms: null, checked_at })
    expect(await statusOf(id)).toBe('online')
    expect((await people.owner.get(`/v1/monitors/${id}/checks`)).body.meta.total).toBe(2)
  })

  test.each([
    ['a status nobody knows', { status: 'fine', response_time_ms: 1 }, 'status'],
    ['a negative time', { status: 'online', response_time_ms: -1 }, 'response_time_ms'],
    ['a run id too long', { status: 'online', run_id: 'x'.repeat(101) }, 'run_id'],
    ['an error kind nobody knows', { status: 'offline', error_kind: 'gremlins' }, 'error_kind'],
  ])('%s is 422 and named', async (_, body, field) => {
    const answer = await submit(one, { monitor_id: 1, ...body })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
  })

  test('a monitor this probe was never given is 403', async () => {
    const id = await monitor()
    await fetchAll(one)
    expect((await submit(two, { monitor_id: id, status: 'online', response_time_ms: 1 })).status).toBe(403)
  })

  test('a monitor that is not there, or is of another team, is 404', async () => {
    const id = await monitor()
    const foreign = await provision(people.stranger, 'foreign')
    expect(await fetchAll(foreign)).toEqual([])
    expect((await submit(foreign, { monitor_id: id, status: 'online', response_time_ms: 1 })).status).toBe(404)
    expect((await submit(one, { monitor_id: 999_999, status: 'online', response_time_ms: 1 })).status).toBe(404)
  })
})

test('check-results answers each result by itself, in order', async () => {
  const id = await monitor()
  await fetchAll(one)
  const { status, body } = await one.post('/v1/probe/check-results', {
    results: [
      { monitor_id: id, status: 'online', response_time_ms: 1, run_id: 'a' },
      { monitor_id: 999_999, status: 'online' },
      { monitor_id: id, status: 'nonsense' },
      'nonsense',
      { monitor_id: id, status: 'online', response_time_ms: 2, run_id: 'b' },
    ],
  })
  expect(status).toBe(200)
  expect(body.data.map((answer: { ok: boolean }) => answer.ok)).toEqual([true, false, false, false, true])
  expect(body.data[1].error).toContain('999999')
  expect(body.data[2].error).toContain('status')
})

test('a character that no database keeps is dropped, and holds up nothing', async () => {
  const id = await monitor()
  await fetchAll(one)
  const result = { monitor_id: id, status: 'offline', response_time_ms: null }
  const odd = { ...result, run_id: 'odd', error_message: 'it said \u0000 and \\u0000' }
  const { status, body } = await one.post('/v1/probe/check-results', { results: [{ ...result, run_id: 'plain' }, odd] })
  expect([status, body.data.map((answer: { ok: boolean }) => answer.ok)]).toEqual([200, [true, true]])
  const { body: checks } = await people.owner.get(`/v1/monitors/${id}/checks?run_id=odd`)
  expect(checks.data[0].error_message).toBe('it said  and \\u0000')
})

describe('who may', () => {
  test('a probe token opens the Probe API and nothing else', async () => {
    expect((await one.get('/v1/monitors')).status).toBe(401)
    expect((await people.owner.get('/v1/probe/get-checks')).status).toBe(401)
  })

  test('provisioning is for admins', async () => {
    expect((await people.member.post('/v1/probes', { name: 'x' })).status).toBe(403)
    expect((await people.viewer.post('/v1/probes', { name: 'x' })).status).toBe(403)
    expect((await people.viewer.get('/v1/probes')).body.data.map((probe: object) => 'token' in probe)).toEqual([
      false,
      false,
    ])
  })

  test('a removed probe is refused at once', async () => {
    const { body } = await people.owner.post('/v1/probes', { name: 'short-lived' })
    const probe = new Person(world, body.data.token)
    await fetchAll(probe)
    expect((await people.stranger.delete(`/v1/probes/${body.data.id}`)).status).toBe(404)
    expect((await people.owner.delete(`/v1/probes/${body.data.id}`)).status).toBe(200)
    expect((await probe.get('/v1/probe/get-checks')).status).toBe(401)
  })
})
