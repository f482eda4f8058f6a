import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, castOf, type People, Person } from '../people.ts'
import { World } from '../world.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describe.each(['sqlite', 'postgres'] as const)('metrics of a monitor, on %s', engine => {
  let place: Awaited<ReturnType<typeof newPlace>>
  let world: World
  let people: People
  let probe: Person
  let server: Awaited<ReturnType<World['server']>>

  beforeAll(async () => {
    place = await newPlace(engine)
    world = await World.create(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl })
    server = await world.server()
    people = await castOf(world)
    probe = new Person(world, (await people.owner.post('/v1/probes', { name: 'p' })).body.data.token)
  })
  afterAll(async () => {
    await world?.close()
    await place?.remove()
  })

  const now = Date.now()
  const iso = (at: number) => new Date(at).toISOString()

  /** A monitor that the probe was given. */
  async function monitor(): Promise<number> {
    const { body } = await people.owner.post('/v1/monitors', { name: 'm', type: 'tcp', target: 'a.example:22' })
    await probe.get('/v1/probe/get-checks?limit=1000')
    return body.data.id
  }

  interface Seen {
    at?: number
    ms?: number | null
    status?: string
  }
  async function submit(monitor_id: number, all: Seen[]): Promise<void> {
    const results = all.map(({ at, ms = 80, status = 'online' }) => ({
      monitor_id,
      status,
      response_time_ms: ms,
      ...(at === undefined ? {} : { checked_at: iso(at) }),
    }))
    const { body } = await probe.post('/v1/probe/check-results', { results })
    expect(body.data.every((each: { ok: boolean }) => each.ok)).toBe(true)
  }
  const metrics = async (id: number, query: Record<string, string> = {}, person = people.member) =>
    person.get(`/v1/monitors/${id}/metrics?${new URLSearchParams(query)}`)
  const figures = async (id: number, query: Record<string, string> = {}) => (await metrics(id, query)).body.data
  const faults = async (id: number, query: Record<string, string>) => {
    const { status, body } = await metrics(id, query)
    return { status, fields: Object.keys(body.errors) }
  }

  test('of one that nobody looked at are unknown, not down', async () => {
    const id = await monitor()
    const { status, body } = await metrics(id)
    expect(status).toBe(200)
    const none = { average: null, p50: null, p95: null, p99: null }
    expect(body).toEqual({
      success: true,
      message: 'Success',
      data: {
        monitor_id: id,
        from: expect.stringMatching(/Z$/),
        to: expect.stringMatching(/Z$/),
        resolution: '5m',
        uptime: null,
        coverage: 0,
        checks: 0,
        up: 0,
        down: 0,
        errors: 0,
        maintenance: 0,
        response_time_ms: { ...none, min: null, max: null },
        series: expect.any(Array),
      },
    })
    const { from, to, series } = body.data
    expect(Date.parse(to) - Date.parse(from)).toBe(day)
    expect(series.length).toBeGreaterThanOrEqual(288)
    for (const point of series) {
      expect(point).toEqual({ at: expect.any(String), uptime: null, coverage: 0, ...none, checks: 0 })
    }
  })

  test('hold every check as soon as it is acknowledged, in every resolution', async () => {
    const id = await monitor()
    for (let count = 1; count <= 3; count++) {
      await submit(id, [{ ms: 100 * count }])
      for (const resolution of ['raw', '5m', '1h', '1d']) {
        const seen = await figures(id, { resolution })
        expect([resolution, seen.checks, seen.up, seen.uptime]).toEqual([resolution, count, count, 100])
        expect(seen.response_time_ms.average).toBe(50 * (count + 1))
        expect(Math.abs(seen.response_time_ms.max / (100 * count) - 1)).toBeLessThan(0.015)
        expect(seen.series.reduce((sum: number, point: { checks: number }) => sum + point.checks, 0)).toBe(count)
      }
    }
  })

  test('tell apart what was down and what the probe could not see', async () => {
    const id = await monitor()
    await submit(id, [{}, {}, { status: 'offline', ms: null }, { status: 'error', ms: null }])
    for (const resolution of ['raw', '5m', '1h', '1d']) {
      const seen = { checks: 4, up: 2, down: 1, errors: 1, maintenance: 0, uptime: 66.667 }
      expect(await figures(id, { resolution })).toMatchObject({ resolution, ...seen })
    }
  })

  test('have percentiles of the single checks, also over days', async () => {
    const id = await monitor()
    // A hundred and one each day: 1 to 100 ms, and one of a second.
    const times = [...Array.from({ length: 100 }, (_, index) => index + 1), 1000]
    for (const days of [1, 2, 3]) {
      const start = Math.floor(now / day) * day - days * day
      await submit(
        id,
        times.map((ms, index) => ({ at: start + index * 5 * minute, ms })),
      )
    }
    const range = { from: iso(now - 4 * day), resolution: '1d' }
    const { response_time_ms: times3, series, checks } = await figures(id, range)
    expect(checks).toBe(303)
    const right = { p50: 51, p95: 96, p99: 100, min: 1, max: 1000 }
    for (const [name, value] of Object.entries(right)) {
      expect(Math.abs(times3[name] / value - 1), name).toBeLessThan(0.015)
    }
    expect(times3.average).toBeCloseTo(6050 / 101, 3)
    const full = series.filter((point: { checks: number }) => point.checks > 0)
    expect(full).toHaveLength(3)
    for (const point of full)
      expect(point).toMatchObject({ checks: 101, uptime: 100, p50: times3.p50, p95: times3.p95 })
    expect(series.at(-1)).toMatchObject({ checks: 0, uptime: null, coverage: 0 })
  })

  test('count what comes in days late where it belongs', async () => {
    const id = await monitor()
    await submit(id, [{ at: now }, { at: now - 6 * day, status: 'offline' }])
    const { series, up, down } = await figures(id, { from: iso(now - 6 * day), resolution: '1d' })
    expect({ up, down }).toEqual({ up: 1, down: 1 })
    expect([series[0].uptime, series.at(-1).uptime]).toEqual([0, 100])
    expect(await figures(id, { from: iso(now - 6 * day - hour), to: iso(now - 5 * day) })).toMatchObject({
      resolution: '5m',
      down: 1,
      up: 0,
    })
  })

  test('single checks are points of their own', async () => {
    const id = await monitor()
    await submit(id, [
      { at: now - 3 * minute, ms: 12.5 },
      { at: now - 2 * minute, status: 'offline', ms: null },
    ])
    const { series, ...seen } = await figures(id, { from: iso(now - hour) })
    expect(seen).toMatchObject({ resolution: 'raw', from: iso(now - hour), uptime: 50, checks: 2 })
    const times = { average: 12.5, p50: 12.5, p95: 12.5, p99: 12.5 }
    const none = { average: null, p50: null, p95: null, p99: null }
    expect(series).toEqual([
      { at: iso(now - 3 * minute), uptime: 100, coverage: 100, ...times, checks: 1 },
      { at: iso(now - 2 * minute), uptime: 0, coverage: 100, ...none, checks: 1 },
    ])
  })

  test('regions are told apart, and where the time went', async () => {
    const id = await monitor()
    const made = await people.owner.post('/v1/probes', { name: 'far', region: 'us-east' })
    const far = new Person(world, made.body.data.token)
    // A change gives it to whoever asks first.
    await people.owner.patch(`/v1/monitors/${id}`, { timeout: 9 })
    await far.get('/v1/probe/get-checks?limit=1000')
    const first = Math.floor((now - hour) / (5 * minute)) * 5 * minute
    const seen = (by: Person, ms: number, status: (index: number) => string) => {
      const results = Array.from({ length: 10 }, (_, index) => ({
        monitor_id: id,
        status: status(index),
        response_time_ms: status(index) === 'online' ? ms + index : null,
        checked_at: iso(first + index * minute),
        timings: { resolve_ms: 0.04, connect_ms: ms / 4, first_byte_ms: ms / 2 + 0.26 },
      }))
      return by.post('/v1/probe/check-results', { results })
    }
    await seen(probe, 20, () => 'online')
    await seen(far, 200, index => (index === 7 ? 'offline' : index === 8 ? 'error' : 'online'))
    const range = { from: iso(first), to: iso(first + 10 * minute) }
    expect(await figures(id, range)).not.toHaveProperty('regions')
    const { regions, checks } = await figures(id, { ...range, resolution: '5m', by: 'region' })
    expect(checks).toBe(20)
    expect(regions.map(({ region }: { region: string }) => region)).toEqual(['default', 'us-east'])
    const [near, away] = regions
    expect(near).toMatchObject({
      uptime: 100,
      checks: 10,
      response_time_ms: { average: 24.5, p50: 24, p99: 29, max: 29 },
    })
    expect(away).toMatchObject({ uptime: 88.889, checks: 10, response_time_ms: { p50: 203, max: 209 } })
    const phases = { resolve_ms: 0, connect_ms: 50, first_byte_ms: 100.3 }
    expect(away.series).toEqual([
      { at: iso(first), uptime: 100, average: 202, p50: 202, p95: 204, p99: 204, checks: 5, timings: phases },
      expect.objectContaining({ at: iso(first + 5 * minute), uptime: 75, p50: 206, checks: 5, timings: phases }),
    ])
    // One success in five minutes keeps its phases; failures and changes keep theirs as before.
    const history = await people.member.get(`/v1/monitors/${id}/checks?probe=far&per_page=20&sort=checked_at`)
    const timed = history.body.data.flatMap(({ timings }: { timings: object | null }, at: number) =>
      timings ? [at] : [],
    )
    expect(timed).toEqual([0, 5, 7, 8])

    const raw = await figures(id, { ...range, resolution: 'raw', by: 'region' })
    expect(raw.regions[1].series).toHaveLength(10)
    expect(raw.regions[1].series[1]).toMatchObject({ at: iso(first + minute), p50: 201, checks: 1, timings: null })
    expect(raw.regions[1].series[7]).toMatchObject({ uptime: 0, p50: null })
    expect(raw.regions[1].series[8]).toMatchObject({ uptime: null, p50: null })
  })

  test('more than 2,000 single checks are refused, or told by five minutes where nobody asked for them', async () => {
    const id = await monitor()
    const many = Array.from({ length: 2001 }, (_, index) => ({ at: now - hour + index * 1000 }))
    for (const part of [many.slice(0, 1000), many.slice(1000, 2000), many.slice(2000)]) await submit(id, part)
    const range = { from: iso(now - 2 * hour), to: iso(now) }
    expect(await faults(id, { ...range, resolution: 'raw' })).toEqual({ status: 422, fields: ['resolution'] })
    expect(await figures(id, range)).toMatchObject({ resolution: '5m', checks: 2001 })
  })

  test('survive a restart, in which hours and days are made', async () => {
    const id = await monitor()
    const all = Array.from({ length: 400 }, (_, index) => ({ at: now - index * 10 * minute, ms: 10 + index }))
    await submit(id, all)
    const range = { from: iso(now - 3 * day), to: iso(now) }
    const before = await Promise.all(['5m', '1h', '1d'].map(resolution => figures(id, { ...range, resolution })))
    await server.stop()
    server = await world.server(new URL(world.url).host)
    const after = await Promise.all(['5m', '1h', '1d'].map(resolution => figures(id, { ...range, resolution })))
    expect(after).toEqual(before)
    const { body } = await people.owner.get(`/v1/monitors/${id}`)
    expect(body.data.uptime_24h).toBe(100)
  })

  test.each([
    ['from=yesterday', ['from']],
    ['to=2026-11-21', ['to']],
    ['resolution=1m', ['resolution']],
    ['by=country', ['by']],
    [`by=region&from=${iso(now - 8 * day)}`, ['by']],
    ['from=x&to=y&resolution=z', ['from', 'to', 'resolution']],
    ['since=2026-11-21T00:00:00Z', ['since']],
    [`from=${iso(now - day)}&to=${iso(now - 2 * day)}`, ['from']],
    [`from=${iso(now + day)}`, ['from']],
    [`from=${iso(now - 401 * day)}`, ['from']],
    [`from=${iso(now - 420 * day)}&to=${iso(now - 410 * day)}`, ['from']],
    [`from=${iso(now - 8 * day)}&resolution=raw`, ['resolution']],
    [`from=${iso(now - 40 * day)}&to=${iso(now - 39 * day)}&resolution=5m`, ['resolution']],
    [`from=${iso(now - 10 * day)}&resolution=5m`, ['resolution']],
    [`from=${iso(now - 100 * day)}&resolution=1h`, ['resolution']],
  ])('%s is refused by name', async (query, fields) => {
    const id = await monitor()
    const seen = await faults(id, Object.fromEntries(new URLSearchParams(query)))
    expect({ ...seen, fields: seen.fields.sort() }).toEqual({ status: 422, fields: fields.sort() })
  })

  test('are for the team alone', async () => {
    const id = await monitor()
    for (const person of [people.owner, people.member, people.viewer]) {
      expect((await metrics(id, {}, person)).status).toBe(200)
    }
    // Whether the question is a good one is nothing a stranger learns.
    for (const query of [{}, { resolution: 'x' }]) {
      expect((await metrics(id, query as Record<string, string>, people.stranger)).status).toBe(404)
    }
    expect((await metrics(id, {}, probe)).status).toBe(401)
    expect((await ask(world.url, 'GET', `/v1/monitors/${id}/metrics`)).status).toBe(401)
    for (const none of ['999999', '0', 'x']) {
      expect((await people.owner.get(`/v1/monitors/${none}/metrics`)).status).toBe(404)
    }
  })

  test('go with the monitor', async () => {
    const id = await monitor()
    await submit(id, [{}])
    await people.owner.delete(`/v1/monitors/${id}`)
    expect((await metrics(id)).status).toBe(404)
  })

  test('monitorctl shows them', async () => {
    const id = await monitor()
    await submit(id, [{ at: now - minute, ms: 33 }])
    const args = ['monitors', 'metrics', String(id), '--from', iso(now - hour)]
    expect(await world.ctl(...args)).toMatchObject({ monitor_id: id, resolution: 'raw', up: 1 })
    const { code, stdout } = await world.monitorctl(...args)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^uptime: +100$/m)
    expect(stdout).toMatch(/AT +UPTIME .*P50 +P95/)
    expect(stdout).toMatch(/100 % .* 33 ms/)
    expect((await world.monitorctl('monitors', 'metrics', String(id), '--resolution', '2h')).code).toBe(2)
  })
})
