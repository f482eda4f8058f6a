import { randomBytes } from 'node:crypto'
import { newPlace } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { Person } from '../people.ts'
import { type Running, World } from '../world.ts'

const apps = '/api/observability/apps'
const hex = (bytes: number) => randomBytes(bytes).toString('hex')

// Everything that was acknowledged is there once after kill -9, and counted once, also what was sent again since its
// answer was lost.
test.each(['sqlite', 'postgres'] as const)('kill -9 under load on %s', async engine => {
  const place = await newPlace(engine)
  const world = await World.create(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl })
  let server: Running = await world.server()
  const owner = new Person(world, world.credentials.api_token)
  const app = (await owner.post(apps, { name: 'Shop' })).body.data
  const headers = { 'content-type': 'application/json', 'x-app-token': app.app_token }
  const acknowledged: string[] = []
  let stopped = false

  // An exporter: sends a batch until it is acknowledged.
  const exporter = async () => {
    while (!stopped) {
      const traceId = hex(16)
      const spans = Array.from({ length: 5 }, () => ({ traceId, spanId: hex(8), name: 'x', startTimeUnixNano: '1' }))
      const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
      for (;;) {
        const answer = await fetch(`${world.url}/v1/traces`, { method: 'POST', headers, body }).catch(() => undefined)
        await answer?.text().catch(() => undefined)
        if (answer?.status === 200) break
        await new Promise(resolve => setTimeout(resolve, 100))
      }
      acknowledged.push(traceId)
    }
  }
  const exporters = Array.from({ length: 12 }, exporter)
  const listen = new URL(world.url).host
  for (let round = 1; round <= 3; round++) {
    const before = acknowledged.length
    while (acknowledged.length < before + 100) await new Promise(resolve => setTimeout(resolve, 10))
    await server.stop('SIGKILL')
    if (engine === 'postgres') await new Promise(resolve => setTimeout(resolve, 1100))
    server = await world.server(listen)
  }
  stopped = true
  await Promise.all(exporters)

  const found = new Map<string, number>()
  for (let path: string | null = `${apps}/${app.id}/traces?limit=200`; path !== null; ) {
    const { body } = await owner.get(path)
    for (const trace of body.data) found.set(trace.trace_id, (found.get(trace.trace_id) ?? 0) + trace.span_count)
    path = body.links.next
  }
  expect(acknowledged.filter(id => found.get(id) !== 5)).toEqual([])
  expect(found.size).toBe(acknowledged.length)
  const { body } = await owner.get(`${apps}/${app.id}/usage`)
  expect(body.quotas.otlp_spans.used).toBe(acknowledged.length * 5)
  await world.close()
  await place.remove()
})
