import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { castOf, type People } from '../people.ts'
import { runProgram, World } from '../world.ts'

const apps = '/api/observability/apps'

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

  const newApp = async () => `${apps}/${(await people.owner.post(apps, { name: 'Shop' })).body.data.id}`
  const unlimited = { limit: null, used: 0, remaining: null }
  const nothing = { sessions: 0, events: 0, spans: 0, logs_bytes: 0 }

  test('the answer is bare: the month, every quota, what happens beyond it, and what was added', async () => {
    const before = new Date().toISOString().slice(0, 7)
    const { status, body } = await people.viewer.get(`${await newApp()}/usage`)
    const after = new Date().toISOString().slice(0, 7)
    expect(status).toBe(200)
    expect([before, after]).toContain(body.period)
    expect(body).toEqual({
      period: expect.stringMatching(/^\d{4}-\d\d$/),
      quotas: {
        rum_sessions: unlimited,
        rum_events: unlimited,
        replay_bytes: unlimited,
        otlp_spans: unlimited,
        logs_bytes: unlimited,
      },
      forecast: { rum_sessions: null, rum_events: null, replay_bytes: null, otlp_spans: null, logs_bytes: null },
      overage_handling: 'reject',
      top_up_balance: nothing,
    })
  })

  test('what was agreed with a team takes the place of its plan at once, until it is taken back', async () => {
    const app = await newApp()
    const set = async (limit: string, quota = 'otlp_spans') => {
      const args = ['--team', 'My team', '--quota', quota, '--limit', limit]
      return (await runProgram('watchpost-server', ['quota', 'set', ...world.storage, ...args], world.env)).code
    }
    const spans = async () => (await people.viewer.get(`${app}/usage`)).body.quotas.otlp_spans
    expect([await set('500'), await spans()]).toEqual([0, { limit: 500, used: 0, remaining: 500 }])
    expect([await set('0'), await spans()]).toEqual([0, { limit: 0, used: 0, remaining: 0 }])
    expect([await set('none'), await spans()]).toEqual([0, unlimited])
    expect([await set('7'), await set('plan'), await spans()]).toEqual([0, 0, unlimited])
    expect([await set('-1'), await set('many'), await set('5', 'metrics')]).toEqual([2, 2, 2])
    const theirs = `${apps}/${(await people.stranger.post(apps, { name: 'x' })).body.data.id}`
    await set('9')
    expect((await people.stranger.get(`${theirs}/usage`)).body.quotas.otlp_spans).toEqual(unlimited)
    await set('plan')
  })

  describe('top-up', () => {
    test('adds to the balance and answers the new one', async () => {
      const app = await newApp()
      const first = await people.owner.post(`${app}/top-up`, { sessions: 5, logs_bytes: 5_000_000_000 })
      expect([first.status, first.body.message]).toEqual([200, 'Top-up added'])
      expect(first.body.data).toEqual({ ...nothing, sessions: 5, logs_bytes: 5_000_000_000 })
      const second = await people.owner.post(`${app}/top-up`, { sessions: 2, events: 1, spans: 3 })
      const balance = { sessions: 7, events: 1, spans: 3, logs_bytes: 5_000_000_000 }
      expect(second.body.data).toEqual(balance)
      expect((await people.viewer.get(`${app}/usage`)).body.top_up_balance).toEqual(balance)
    })

    test('many at once all count', async () => {
      const app = await newApp()
      await Promise.all(Array.from({ length: 20 }, () => people.owner.post(`${app}/top-up`, { events: 3 })))
      expect((await people.viewer.get(`${app}/usage`)).body.top_up_balance.events).toBe(60)
    })

    test("one app's is not another's", async () => {
      const [app, other] = [await newApp(), await newApp()]
      await people.owner.post(`${app}/top-up`, { spans: 3 })
      expect((await people.owner.get(`${other}/usage`)).body.top_up_balance).toEqual(nothing)
    })

    test.each([
      [{}, 400, []],
      [{ sessions: 0 }, 422, ['sessions']],
      [{ sessions: -1, events: 1 }, 422, ['sessions']],
      [{ sessions: 1.5, spans: '3' }, 422, ['sessions', 'spans']],
      [{ events: 1_000_000_000_001 }, 422, ['events']],
      [{ events: null }, 422, ['events']],
      [{ events: 1, replay_bytes: 1 }, 422, ['replay_bytes']],
    ])('%j is %d', async (body, status, fields) => {
      const app = await newApp()
      const answer = await people.owner.post(`${app}/top-up`, body)
      expect([answer.status, Object.keys(answer.body.errors).toSorted()]).toEqual([status, fields])
      expect((await people.owner.get(`${app}/usage`)).body.top_up_balance).toEqual(nothing)
    })
  })
})
