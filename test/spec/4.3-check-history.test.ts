import type { CheckRecord } from '@watchpost/contract'
import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { castOf, type People, Person } from '../people.ts'
import { type Running, World } from '../world.ts'

const minute = 60_000

describe.each(['sqlite', 'postgres'] as const)('on %s', engine => {
  let place: Awaited<ReturnType<typeof newPlace>>
  let world: World
  let server: Running
  let people: People
  let near: Person
  let far: Person
  let id: number
  let leased: string
  const start = Date.now() - 2 * 86_400_000

  beforeAll(async () => {
    place = await newPlace(engine)
    world = await World.create(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl })
    server = await world.server()
    people = await castOf(world)
    const provision = async (name: string, region: string) =>
      new Person(world, (await people.owner.post('/v1/probes', { name, region })).body.data.token)
    near = await provision('near', 'eu-central')
    far = await provision('far', 'us-east')
    id = (await people.owner.post('/v1/monitors', { name: 'm', type: 'tcp', target: 'a.example:22' })).body.data.id
    const given = await near.get('/v1/probe/get-checks')
    leased = given.body.data[0].run_id
    await people.owner.patch(`/v1/monitors/${id}`, { interval: 90 })
    await far.get('/v1/probe/get-checks')
    // Two days and more, one check in five minutes: several blocks, and tables of three days.
    const results = Array.from({ length: 700 }, (_, index) => ({
      monitor_id: id,
      run_id: `run ${index}`,
      status: index % 100 === 99 ? 'offline' : 'online',
      response_time_ms: index % 100 === 99 ? null : 20 + (index % 7) / 8,
      checked_at: new Date(start + index * 4 * minute).toISOString(),
      timings: { connect_ms: 1.5 },
      ...(index % 100 === 99 ? { error_kind: 'timeout', error_message: `no answer ${index}` } : {}),
    }))
    const odd = results.filter((_, index) => index % 2 === 1)
    for (const [probe, half] of [
      [near, results.filter((_, index) => index % 2 === 0)],
      [far, odd],
    ] as const) {
      const { body } = await probe.post('/v1/probe/check-results', { results: half })
      expect(body.data.every((answer: { ok: boolean }) => answer.ok)).toBe(true)
    }
    await near.post('/v1/probe/check-result', {
      monitor_id: id,
      run_id: leased,
      status: 'online',
      response_time_ms: 12.5,
    })
  })
  afterAll(async () => {
    await world?.close()
    await place?.remove()
  })

  const list = async (query = '', by = people.viewer) => {
    const { status, body } = await by.get(`/v1/monitors/${id}/checks${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body as { data: CheckRecord[]; meta: { total: number; total_pages: number }; links: { next: string | null } }
  }
  const runs = async (query: string) => (await list(query)).data.map(check => check.run_id)

  test('newest first, as it was sent, with who looked', async () => {
    const { data, meta } = await list('?per_page=3')
    expect(meta).toMatchObject({ total: 701, total_pages: 234 })
    expect(data.map(check => check.run_id)).toEqual([leased, 'run 699', 'run 698'])
    expect(data[0]).toMatchObject({ status: 'online', response_time_ms: 12.5, probe: 'near', region: 'eu-central' })
    expect(data[1]).toEqual({
      run_id: 'run 699',
      monitor_id: id,
      status: 'offline',
      response_time_ms: null,
      checked_at: new Date(start + 699 * 4 * minute).toISOString(),
      probe: 'far',
      region: 'us-east',
      error_kind: 'timeout',
      error_message: 'no answer 699',
      timings: { connect_ms: 1.5 },
      trace_id: null,
    })
  })

  test('with the trace of a check over HTTP, which the id of its run says', async () => {
    const web = { name: 'w', type: 'https', target: 'https://a.example/' }
    const made = await people.owner.post('/v1/monitors', web)
    const result = { monitor_id: made.body.data.id, run_id: 'abc', status: 'online', response_time_ms: 1 }
    await near.get('/v1/probe/get-checks')
    expect((await near.post('/v1/probe/check-result', result)).status).toBe(200)
    const { body } = await people.viewer.get(`/v1/monitors/${result.monitor_id}/checks`)
    expect(body.data[0]).toMatchObject({ run_id: 'abc', trace_id: 'ba7816bf8f01cfea414140de5dae2223' })
  })

  test('pages hold every check once', async () => {
    const seen: string[] = []
    for (let path: string | null = '?per_page=100&page=1'; path !== null; ) {
      const page: Awaited<ReturnType<typeof list>> = await list(path)
      seen.push(...page.data.map(check => check.run_id))
      path = page.links.next === null ? null : page.links.next.slice(page.links.next.indexOf('?'))
    }
    expect([seen.length, new Set(seen).size]).toEqual([701, 701])
  })

  test('by status, region, probe, error and run, and by several at once', async () => {
    expect((await list('?status=offline')).meta.total).toBe(7)
    expect((await list('?region=us-east')).meta.total).toBe(350)
    expect((await list('?region=us-east&status=online')).meta.total).toBe(343)
    expect((await list('?probe=near')).meta.total).toBe(351)
    expect((await list('?region=nowhere')).meta.total).toBe(0)
    expect((await list('?error_kind=timeout')).meta.total).toBe(7)
    expect(await runs('?run_id=run%20311')).toEqual(['run 311'])
    expect(await runs(`?run_id=${leased}`)).toEqual([leased])
    expect(await runs(`?checked_at=${new Date(start + 40 * minute).toISOString()}`)).toEqual(['run 10'])
  })

  test('from and to are both among what is shown, in any zone', async () => {
    const time = (index: number) => new Date(start + index * 4 * minute).toISOString()
    const between = await list(`?from=${time(100)}&to=${time(110)}&sort=checked_at`)
    expect(between.meta.total).toBe(11)
    expect(between.data.map(check => check.run_id)[0]).toBe('run 100')
    expect((await list(`?from=${time(690)}`)).meta.total).toBe(11)
    expect((await list(`?to=${time(4)}`)).meta.total).toBe(5)
    const zoned = time(110).replace('Z', '%2B00:00')
    expect((await list(`?from=${time(100)}&to=${zoned}&status=online`)).meta.total).toBe(11)
    expect((await list('?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z')).meta.total).toBe(0)
  })

  test('sorted by any field, nulls last', async () => {
    const slowest = await list('?sort=-response_time_ms,checked_at&per_page=2')
    expect(slowest.data.map(check => [check.run_id, check.response_time_ms])).toEqual([
      ['run 6', 20.75],
      ['run 13', 20.75],
    ])
    expect(
      (await list('?sort=response_time_ms&per_page=7&page=100')).data.map(check => check.response_time_ms),
    ).toContain(null)
    expect(await runs('?sort=-status,checked_at&per_page=1')).toEqual(['run 0'])
  })

  test.each([
    ['from=yesterday', 'from'],
    ['to=2026-11-21', 'to'],
    ['from=2026-11-21T00:00:00Z&to=2026-11-20T00:00:00Z', 'from'],
    ['status=fine', 'status'],
    ['sort=from', 'sort'],
    ['page=0', 'page'],
    ['weather=fine', 'weather'],
  ])('%s is 422 and named', async (query, field) => {
    const { status, body } = await people.viewer.get(`/v1/monitors/${id}/checks?${query}`)
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  test('the member and the viewer see it, the stranger and nobody do not', async () => {
    expect((await list('', people.member)).meta.total).toBe(701)
    expect((await people.stranger.get(`/v1/monitors/${id}/checks`)).status).toBe(404)
    expect((await new Person(world, 'none').get(`/v1/monitors/${id}/checks`)).status).toBe(401)
  })

  test('of a monitor that was deleted nothing is shown', async () => {
    const made = await people.owner.post('/v1/monitors', { name: 'gone', type: 'tcp', target: 'a.example:22' })
    const gone = made.body.data.id
    await near.get('/v1/probe/get-checks')
    expect((await near.post('/v1/probe/check-result', { monitor_id: gone, status: 'online' })).status).toBe(200)
    await people.owner.delete(`/v1/monitors/${gone}`)
    expect((await people.owner.get(`/v1/monitors/${gone}/checks`)).status).toBe(404)
    expect((await near.post('/v1/probe/check-result', { monitor_id: gone, status: 'online' })).status).toBe(404)
  })

  test('what was acknowledged outlives a server that is killed', async () => {
    const sent: Promise<string[]>[] = []
    // Killed in the middle of it, without a word.
    for (let index = 0; index < 300; index++) {
      const run_id = `last ${index}`
      const result = { monitor_id: id, run_id, status: 'online', response_time_ms: 5 }
      sent.push(
        near.post('/v1/probe/check-result', result).then(
          answer => (answer.status === 200 ? [run_id] : []),
          () => [],
        ),
      )
      if (index === 150) await Promise.race(sent)
    }
    await server.stop('SIGKILL')
    const acknowledged = (await Promise.all(sent)).flat()
    expect(acknowledged.length).toBeGreaterThan(0)
    await world.server()
    const { data } = await list('?per_page=100')
    const after = [data, (await list('?per_page=100&page=2')).data, (await list('?per_page=100&page=3')).data].flat()
    const kept = after.map(check => check.run_id)
    expect(acknowledged.filter(run => !kept.includes(run))).toEqual([])
    expect(new Set(kept).size).toBe(kept.length)
    // Sent again, as a probe does that got no answer, it counts once.
    const { total } = (await list()).meta
    const again = acknowledged.map(run_id => ({ monitor_id: id, run_id, status: 'online', response_time_ms: 5 }))
    await near.post('/v1/probe/check-results', { results: again })
    expect((await list()).meta.total).toBe(total)
  })
})
