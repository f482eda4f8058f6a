import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { onEachEngine } from '../engines.ts'
import { ask } from '../people.ts'
import { runProgram } from '../world.ts'

const apps = '/api/observability/apps'
const url = 'https://shop.example.com/cart'

onEachEngine(stage => {
  interface App {
    id: number
    api_key: string
  }
  const newApp = async (): Promise<App> => (await stage.people.owner.post(apps, { name: 'Shop' })).body.data
  const limit = (quota: string, amount: string) => {
    const { storage, env } = stage.world
    const args = ['quota', 'set', ...storage, '--team', 'My team', '--quota', quota, '--limit', amount]
    return runProgram('watchpost-server', args, env)
  }
  const usage = async (app: App) => (await stage.people.viewer.get(`${apps}/${app.id}/usage`)).body
  const send = (app: App, body: unknown) => ask(stage.world.url, 'POST', `/v1/ingest?api_key=${app.api_key}`, body)
  const load = (more: object = {}) => ({ type: 'page_load', url, id: randomUUID(), ...more })
  const many = (count: number, more: object = {}) => Array.from({ length: count }, () => load(more))
  const stored = async (app: App) => {
    const { data } = (await stage.people.viewer.get(`${apps}/${app.id}/rum/pages`)).body
    return data.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
  }
  const visits = async (app: App) => {
    let [count, events] = [0, 0]
    for (let path: string | null = `${apps}/${app.id}/rum/sessions?limit=200`; path !== null; ) {
      const { body } = await stage.people.viewer.get(path)
      count += body.data.length
      for (const { event_count } of body.data) events += event_count
      path = body.links.next
    }
    return [count, events]
  }

  beforeAll(async () => {
    expect((await limit('rum_events', '1000')).code).toBe(0)
    expect((await limit('rum_sessions', '100')).code).toBe(0)
  })

  test('eight connections across the edge of events: accepted, stored and counted are one number', async () => {
    const app = await newApp()
    await stage.people.owner.post(`${apps}/${app.id}/top-up`, { events: 300 })
    let accepted = 0
    const statuses = new Set<number>()
    const client = async () => {
      for (let turn = 0; turn < 24; turn++) {
        const events = many(7 + (turn % 11))
        // An answer that is lost is asked for again.
        for (const _ of turn % 5 === 0 ? [1, 2] : [1]) {
          const { status, body } = await send(app, events)
          statuses.add(status)
          if (status === 200) {
            accepted += body.data.accepted
            expect(body.data.accepted + body.data.duplicates + body.data.rejected).toBe(events.length)
          } else expect(body).toMatchObject({ quota_type: 'rum_events', limit: 1000, used: 1000 })
        }
      }
    }
    await Promise.all(Array.from({ length: 8 }, client))
    expect([accepted, await stored(app)]).toEqual([1300, 1300])
    const { quotas, top_up_balance } = await usage(app)
    expect([quotas.rum_events, top_up_balance.events]).toEqual([{ limit: 1000, used: 1000, remaining: 0 }, 0])
    expect([...statuses].toSorted()).toEqual([200, 429])
  })

  test('eight connections across the edge of visits, which they share', async () => {
    const app = await newApp()
    let accepted = 0
    const client = async () => {
      for (let visit = 0; visit < 120; visit += 3) {
        const events = [0, 1, 2].flatMap(more => [
          { type: 'session_start', url, session_id: `visit ${visit + more}` },
          load({ session_id: `visit ${visit + more}` }),
        ])
        const { status, body } = await send(app, events)
        if (status === 200) accepted += body.data.accepted
        else expect(body).toMatchObject({ quota_type: 'rum_sessions', limit: 100, used: 100 })
      }
    }
    await Promise.all(Array.from({ length: 8 }, client))
    const { quotas } = await usage(app)
    expect(quotas.rum_sessions).toEqual({ limit: 100, used: 100, remaining: 0 })
    expect(quotas.rum_events.used).toBe(800)
    // Each visit began once.
    expect([accepted, await stored(app), await visits(app)]).toEqual([900, 800, [100, 800]])
  })

  test('nothing fits: 429 with the documented body, and when it begins anew', async () => {
    const app = await newApp()
    expect((await send(app, many(998))).body.data.accepted).toBe(998)
    const partly = await send(app, many(5))
    expect(partly.status).toBe(200)
    expect(partly.body.data).toMatchObject({ accepted: 2, rejected: 3 })
    expect(Object.keys(partly.body.data.errors)).toEqual(['2.event', '3.event', '4.event'])
    const { status, body, headers } = await send(app, load())
    expect(status).toBe(429)
    expect(body).toEqual({
      success: false,
      error: 'The monthly quota rum_events is used up',
      message: 'The monthly quota rum_events is used up',
      code: 'quota_exceeded',
      status: 429,
      errors: {},
      quota_type: 'rum_events',
      limit: 1000,
      used: 1000,
      reset_at: body.reset_at,
      retry_after: body.retry_after,
    })
    expect(new Date(body.reset_at).getTime()).toBeGreaterThan(Date.now())
    expect(Number(headers.get('retry-after'))).toBe(body.retry_after)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    // The beginning of a visit is no event, and a vital that is known is none more.
    expect((await send(app, { type: 'session_start', url, session_id: 'x' })).status).toBe(200)
    await stage.people.owner.post(`${apps}/${app.id}/top-up`, { events: 1 })
    const vital = { type: 'web_vital', url, name: 'LCP', value: 1, id: 'v6-1', session_id: 'x' }
    expect((await send(app, vital)).body.data.accepted).toBe(1)
    expect((await send(app, { ...vital, value: 2 })).body.data.duplicates).toBe(1)
    expect((await send(app, load())).status).toBe(429)
  })

  test('no visit more, but those that are there go on', async () => {
    const app = await newApp()
    await send(
      app,
      Array.from({ length: 100 }, (_, index) => load({ session_id: `s${index}` })),
    )
    const { status, body } = await send(app, [load({ session_id: 'new' }), load({ session_id: 's7' }), load()])
    expect([status, body.data.accepted, Object.keys(body.data.errors)]).toEqual([200, 2, ['0.event']])
    expect((await send(app, load({ session_id: 'new' }))).body).toMatchObject({ quota_type: 'rum_sessions', used: 100 })
  })

  test('thresholds are told of once each', async () => {
    const app = await newApp()
    const told = await fetch(`${stage.world.url}/v1/events`, {
      headers: { authorization: `Bearer ${stage.world.credentials.api_token}` },
    })
    for (let turn = 0; turn < 25; turn++) await Promise.all([send(app, many(20)), send(app, many(20))])
    const reader = (told.body as ReadableStream<Uint8Array>).getReader()
    let text = ''
    const seen = () => [...text.matchAll(/^data: (.*)$/gm)].map(([, line]) => JSON.parse(line as string))
    const of = () =>
      seen()
        .filter(({ event, data }) => event === 'usage.threshold' && data.app_id === app.id)
        .map(({ data }) => [data.quota_type, data.threshold])
    while (of().length < 3) text += new TextDecoder().decode((await reader.read()).value)
    await reader.cancel()
    expect(of()).toEqual([
      ['rum_events', 50],
      ['rum_events', 80],
      ['rum_events', 100],
    ])
  })
})
