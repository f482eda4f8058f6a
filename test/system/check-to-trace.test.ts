import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Person } from '../people.ts'
import { eventually, World } from '../world.ts'

const apps = '/api/observability/apps'
const headers = {
  get: (carrier: IncomingHttpHeaders, key: string) => carrier[key],
  keys: (carrier: IncomingHttpHeaders) => Object.keys(carrier),
}

// A probe looks at a service that OpenTelemetry watches, and that sends what it sees to the same place: from the check in
// the history one comes to what the service did for it.
describe.each(['sqlite', 'postgres'] as const)('from a check to its trace, on %s', engine => {
  let place: Awaited<ReturnType<typeof newPlace>>
  let world: World
  let owner: Person
  let app: { id: number; app_token: string }
  let tracers: TracerProvider

  const service = createServer((request, response) => {
    const caller = new W3CTraceContextPropagator().extract(ROOT_CONTEXT, request.headers, headers)
    const options = { kind: SpanKind.SERVER, attributes: { 'url.path': request.url ?? '' } }
    const span = tracers.getTracer('service').startSpan(`${request.method} /health`, options, caller)
    response.end('fine')
    span.end()
  })

  beforeAll(async () => {
    place = await newPlace(engine)
    world = await World.create(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl })
    owner = new Person(world, world.credentials.api_token)
    await world.server()
    app = (await owner.post(apps, { name: 'Shop' })).body.data
    const exporter = new OTLPTraceExporter({
      url: `${world.url}/v1/traces`,
      headers: { 'X-App-Token': app.app_token },
    })
    tracers = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': 'cart' }),
      spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 100 })],
    })
    await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    service.close()
    await tracers?.shutdown()
    await world?.close()
    await place?.remove()
  })

  test('the trace id of the check finds the span of the service', async () => {
    const { token } = (await owner.post('/v1/probes', { name: 'one' })).body.data
    const target = `http://127.0.0.1:${(service.address() as AddressInfo).port}/health?x=1`
    const { id } = (await owner.post('/v1/monitors', { name: 'cart', type: 'http', target })).body.data
    await world.probe(token)

    const check = await eventually('a check', async () => (await owner.get(`/v1/monitors/${id}/checks`)).body.data[0])
    expect(check).toMatchObject({ status: 'online', trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) })
    const trace = await eventually('its trace', async () => {
      const { status, body } = await owner.get(`${apps}/${app.id}/traces/${check.trace_id}`)
      return status === 200 ? body.data : undefined
    })
    expect(trace).toMatchObject({
      trace_id: check.trace_id,
      spans: [
        {
          service: 'cart',
          name: 'GET /health',
          kind: 'server',
          parent_span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
          attributes: { 'url.path': '/health?x=1' },
        },
      ],
    })
    const { body } = await owner.get(`${apps}/${app.id}/traces?service=cart&attr.url.path=/health%3Fx%3D1`)
    expect(body.data.map((each: { trace_id: string }) => each.trace_id)).toContain(check.trace_id)
  })
})
