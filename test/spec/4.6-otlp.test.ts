import { readFileSync } from 'node:fs'
import { deflateSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { onEachEngine } from '../engines.ts'
import { ask, Person } from '../people.ts'
import { World } from '../world.ts'

const apps = '/api/observability/apps'
const examples = 'packages/server/src/ingest/testing/otlp-examples'
const example = (name: string) => readFileSync(`${examples}/${name}.json`, 'utf8')

onEachEngine(stage => {
  let app: { id: number; app_token: string }
  let path: string

  beforeAll(async () => {
    app = (await stage.people.owner.post(apps, { name: 'Shop' })).body.data
    path = `${apps}/${app.id}`
  })

  const send = (signal: string, body: unknown, headers: Record<string, string> = {}) =>
    ask(stage.world.url, 'POST', `/v1/${signal}`, body, { 'x-app-token': app.app_token, ...headers })
  const post = async (signal: string, body: Buffer, headers: Record<string, string>) => {
    const url = `${stage.world.url}/v1/${signal}`
    const sent = { 'content-type': 'application/json', 'x-app-token': app.app_token, ...headers }
    const answer = await fetch(url, { method: 'POST', headers: sent, body: new Uint8Array(body) })
    return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() }
  }

  test('a trace that was acknowledged is found at once, by its id in either case', async () => {
    const sent = await send('traces', example('trace'))
    expect([sent.status, sent.body, sent.headers.get('content-type')]).toEqual([200, {}, 'application/json'])
    for (const id of ['5B8EFFF798038103D269B633813FC60C', '5b8efff798038103d269b633813fc60c']) {
      const { status, body } = await stage.people.viewer.get(`${path}/traces/${id}`)
      expect(status).toBe(200)
      expect(body.data.trace_id).toBe('5b8efff798038103d269b633813fc60c')
      expect(body.data.spans).toMatchObject([
        { span_id: 'eee19b7ec3c1b174', parent_span_id: 'eee19b7ec3c1b173', service: 'my.service', kind: 'server' },
      ])
    }
    const { body } = await stage.people.viewer.get(`${path}/traces?service=my.service`)
    expect(body.data).toMatchObject([{ root_name: "I'm a server span", duration_ms: 1000, span_count: 1 }])
    expect((await stage.people.viewer.get(`${path}/services`)).body.data).toMatchObject([{ name: 'my.service' }])
  })

  test('the official examples of logs and metrics are found as they were sent', async () => {
    expect((await send('logs', example('logs'))).body).toEqual({})
    expect((await send('metrics', example('metrics'))).body).toEqual({})
    const logs = (await stage.people.viewer.get(`${path}/logs?q=example&attr.string.attribute=some+string`)).body.data
    expect(logs).toMatchObject([{ severity_number: 10, trace_id: '5b8efff798038103d269b633813fc60c' }])
    const metrics = (await stage.people.viewer.get(`${path}/metrics`)).body.data
    expect(metrics.map(({ name, type }: { name: string; type: string }) => [name, type])).toEqual([
      ['my.counter', 'sum'],
      ['my.exponential.histogram', 'exponential_histogram'],
      ['my.gauge', 'gauge'],
      ['my.histogram', 'histogram'],
    ])
    const range = 'from=2018-12-13T00:00:00Z&to=2018-12-14T00:00:00Z&step=0'
    const value = async (name: string, stat = '') =>
      (await stage.people.viewer.get(`${path}/metrics/${name}?${range}${stat}`)).body.data.series[0]?.points
    expect(await value('my.gauge')).toEqual([[1544712660300, 10]])
    expect(await value('my.counter')).toEqual([[1544712660300, 5]])
    expect(await value('my.histogram')).toEqual([[1544712660300, 1]])
    expect(await value('my.histogram', '&stat=max')).toEqual([[1544712660300, 2]])
  })

  describe('the protocol', () => {
    test('gzip and deflate, media types with parameters, and a body in chunks are all the same', async () => {
      const body = Buffer.from(example('trace'))
      const ok = { status: 200, type: 'application/json', body: '{}' }
      expect(await post('traces', gzipSync(body), { 'content-encoding': 'gzip' })).toEqual(ok)
      expect(await post('traces', deflateSync(body), { 'content-encoding': 'deflate' })).toEqual(ok)
      expect(await post('traces', body, { 'content-type': 'Application/JSON; charset=utf-8' })).toEqual(ok)
      expect((await send('traces', {})).body).toEqual({})
      const empty = await post('metrics', Buffer.alloc(0), { 'content-type': 'application/x-protobuf' })
      expect(empty).toEqual({ status: 200, type: 'application/x-protobuf', body: '' })
    })

    test('what cannot be read is refused in its own encoding', async () => {
      for (const bad of ['', '[]', '{', '{"resourceSpans":7}', '{"resourceSpans":[{"scopeSpans":[{"spans":[3]}]}]}']) {
        const { status, body } = await send('traces', bad)
        expect([bad, status, body.code, typeof body.message]).toEqual([bad, 400, 3, 'string'])
      }
      for (const signal of ['logs', 'metrics'] as const) {
        for (const bad of ['[]', '"x"', '1', 'true', 'null', '[[[]]]']) {
          expect([signal, bad, (await send(signal, bad)).status]).toEqual([signal, bad, 400])
        }
      }
      const sum = { isMonotonic: 'yes', dataPoints: [{ asInt: '1' }] }
      const odd = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'x', sum }] }] }] }
      expect((await send('metrics', odd)).body.message).toContain('isMonotonic')
      const damaged = await post('traces', Buffer.from([0x0a, 0x7f]), { 'content-type': 'application/x-protobuf' })
      expect([damaged.status, damaged.type]).toEqual([400, 'application/x-protobuf'])
      expect(damaged.body.startsWith('\u0008\u0003\u0012')).toBe(true)
      expect((await post('traces', Buffer.from('{}'), { 'content-type': 'text/plain' })).status).toBe(415)
      expect((await post('traces', Buffer.from('{}'), { 'content-encoding': 'br' })).status).toBe(415)
      expect((await post('traces', Buffer.from('{}'), { 'content-encoding': 'gzip' })).status).toBe(400)
    })

    test('too large is 413, as sent and decompressed', async () => {
      const large = Buffer.alloc(21 * 1_048_576, 32)
      expect((await post('logs', large, {})).status).toBe(413)
      expect((await post('logs', gzipSync(large), { 'content-encoding': 'gzip' })).status).toBe(413)
    })

    test('an item that nothing could be done with is left out, and said to be', async () => {
      const span = (traceId: string) => ({ traceId, spanId: 'eee19b7ec3c1b174', name: 'x' })
      const spans = [span('12'), span('5b8efff798038103d269b633813fc60d')]
      const { status, body } = await send('traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] })
      expect([status, body.partialSuccess.rejectedSpans]).toEqual([200, '1'])
      expect(body.partialSuccess.errorMessage).toContain('16 bytes')
    })
  })

  test('a stranger sees nothing, and a wrong surface is 401', async () => {
    const traceId = '5b8efff798038103d269b633813fc60c'
    for (const what of ['services', 'traces', `traces/${traceId}`, 'logs', 'metrics', 'metrics/my.gauge']) {
      expect([(await stage.people.stranger.get(`${path}/${what}`)).status, what]).toEqual([404, what])
      const headers = { 'x-app-token': app.app_token }
      expect((await ask(stage.world.url, 'GET', `${path}/${what}`, undefined, headers)).status).toBe(401)
      expect((await stage.people.viewer.get(`${path}/${what}`)).status).toBe(200)
    }
    const theirs = (await stage.people.stranger.post(apps, { name: 'x' })).body.data.id
    expect((await stage.people.stranger.get(`${apps}/${theirs}/traces/${traceId}`)).status).toBe(404)
  })
})

test('of more new series than an app may begin within an hour the others’ points are rejected, and known ones taken', async () => {
  const world = await World.create({ env: { WATCHPOST_TELEMETRY_NEW_SERIES_HOUR: '3' } })
  await world.server()
  const owner = new Person(world, world.credentials.api_token)
  const { id, app_token } = (await owner.post(apps, { name: 'Shop' })).body.data
  const send = (...names: string[]) => {
    const dataPoints = [{ timeUnixNano: `${Date.now()}000000`, asInt: '1' }]
    const metrics = names.map(name => ({ name, gauge: { dataPoints } }))
    const body = { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }
    return ask(world.url, 'POST', '/v1/metrics', body, { 'x-app-token': app_token })
  }
  const { status, body } = await send('a', 'b', 'c', 'd', 'e')
  expect([status, body.partialSuccess.rejectedDataPoints]).toEqual([200, '2'])
  expect(body.partialSuccess.errorMessage).toContain('WATCHPOST_TELEMETRY_NEW_SERIES_HOUR')
  expect((await send('a', 'c')).body).toEqual({})
  const { data } = (await owner.get(`${apps}/${id}/metrics`)).body
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c'])
  await world.close()
})

test('a disk that is nearly full stops telemetry, and nothing else', async () => {
  const world = await World.create({ env: { WATCHPOST_TELEMETRY_FREE_MB: '999999999' } })
  await world.server()
  const owner = new Person(world, world.credentials.api_token)
  const { app_token } = (await owner.post(apps, { name: 'Shop' })).body.data
  const { status, body, headers } = await ask(world.url, 'POST', '/v1/traces', {}, { 'x-app-token': app_token })
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 14, '60'])
  expect(body.message).toContain('disk')
  expect(await (await fetch(`${world.url}/metrics`)).text()).toContain('watchpost_telemetry_disk_full 1')
  expect((await owner.post('/v1/monitors', { name: 'x', type: 'tcp', target: 'a:1' })).status).toBe(201)
  expect((await fetch(`${world.url}/readyz`)).status).toBe(200)
  await world.close()
})
