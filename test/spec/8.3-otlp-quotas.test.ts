import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { onEachEngine } from '../engines.ts'
import { ask } from '../people.ts'
import { runProgram } from '../world.ts'

const apps = '/api/observability/apps'
const hex = (bytes: number) => randomBytes(bytes).toString('hex')

onEachEngine(stage => {
  interface App {
    id: number
    app_token: string
  }
  const newApp = async (): Promise<App> => (await stage.people.owner.post(apps, { name: 'Shop' })).body.data
  const limit = (quota: string, amount: string) => {
    const { storage, env } = stage.world
    const args = ['quota', 'set', ...storage, '--team', 'My team', '--quota', quota, '--limit', amount]
    return runProgram('watchpost-server', args, env)
  }
  const usage = async (app: App, quota: string) =>
    (await stage.people.viewer.get(`${apps}/${app.id}/usage`)).body.quotas[quota]
  const send = (app: App, signal: string, body: unknown) =>
    ask(stage.world.url, 'POST', `/v1/${signal}`, body, { 'x-app-token': app.app_token })
  const spans = (count: number, traceId = hex(16)) => ({
    resourceSpans: [
      {
        scopeSpans: [{ spans: Array.from({ length: count }, () => ({ traceId, spanId: hex(8), name: 'x' })) }],
      },
    ],
  })
  const stored = async (app: App): Promise<number> => {
    let count = 0
    for (let path: string | null = `${apps}/${app.id}/traces?limit=200`; path !== null; ) {
      const { body } = await stage.people.viewer.get(path)
      for (const trace of body.data) count += trace.span_count
      path = body.links.next
    }
    return count
  }

  beforeAll(async () => {
    expect((await limit('otlp_spans', '1000')).code).toBe(0)
    expect((await limit('logs_bytes', '100000')).code).toBe(0)
  })

  test('eight connections across the edge: accepted, stored and counted are one number', async () => {
    const app = await newApp()
    await stage.people.owner.post(`${apps}/${app.id}/top-up`, { spans: 300 })
    let accepted = 0
    const statuses = new Set<number>()
    const client = async () => {
      for (let turn = 0; turn < 14; turn++) {
        const size = 7 + (turn % 11)
        const { status, body } = await send(app, 'traces', spans(size))
        statuses.add(status)
        if (status === 200) accepted += size - Number(body.partialSuccess?.rejectedSpans ?? 0)
        else expect(body).toMatchObject({ quota_type: 'otlp_spans', limit: 1000, used: 1000 })
      }
    }
    await Promise.all(Array.from({ length: 14 }, client))
    expect([accepted, await stored(app)]).toEqual([1300, 1300])
    expect(await usage(app, 'otlp_spans')).toEqual({ limit: 1000, used: 1000, remaining: 0 })
    const { body } = await stage.people.viewer.get(`${apps}/${app.id}/usage`)
    expect(body.top_up_balance.spans).toBe(0)
    expect([...statuses].toSorted()).toEqual([200, 429])
  })

  test('nothing fits: 429 with the documented body, as a Status, and when it begins anew', async () => {
    const app = await newApp()
    expect((await send(app, 'traces', spans(999))).body).toEqual({})
    const partly = await send(app, 'traces', spans(4))
    expect([partly.status, partly.body.partialSuccess.rejectedSpans]).toEqual([200, '3'])
    const { status, body, headers } = await send(app, 'traces', spans(1))
    expect(status).toBe(429)
    expect(body).toMatchObject({
      success: false,
      code: 8,
      status: 429,
      quota_type: 'otlp_spans',
      limit: 1000,
      used: 1000,
    })
    expect(new Date(body.reset_at).getTime()).toBeGreaterThan(Date.now())
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    // More than was agreed before holds at once.
    await stage.people.owner.post(`${apps}/${app.id}/top-up`, { spans: 1 })
    expect((await send(app, 'traces', spans(1))).status).toBe(200)
    expect((await send(app, 'metrics', {})).status).toBe(200)
  })

  test('logs count in bytes of the request, and what fits of it is kept', async () => {
    const app = await newApp()
    const logRecords = Array.from({ length: 100 }, (_, index) => ({
      body: { stringValue: `line ${index} ${hex(300)}` },
    }))
    const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] })
    expect((await send(app, 'logs', body)).body).toEqual({})
    expect((await usage(app, 'logs_bytes')).used).toBe(body.length)
    const { body: partly } = await send(app, 'logs', body.replace('line 0', 'line O'))
    const kept = 200 - Number(partly.partialSuccess.rejectedLogRecords)
    const { used } = await usage(app, 'logs_bytes')
    expect(used).toBeLessThanOrEqual(100_000)
    expect(used).toBe(body.length + Math.floor(((kept - 100) * body.length) / 100))
    const found = await stage.people.viewer.get(`${apps}/${app.id}/logs?limit=1000`)
    expect(found.body.data).toHaveLength(kept)
  })

  test('the same bytes sent twice on purpose count twice', async () => {
    const app = await newApp()
    const body = JSON.stringify(spans(10))
    for (let turn = 0; turn < 3; turn++) expect((await send(app, 'traces', body)).status).toBe(200)
    expect((await usage(app, 'otlp_spans')).used).toBe(30)
  })
})
