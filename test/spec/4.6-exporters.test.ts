import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, ValueType } from '@opentelemetry/api'
import { OTLPLogExporter as JsonLogs } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtoLogs } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter as ProtoMetrics } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtoTraces } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { AggregationType, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onEachEngine } from '../engines.ts'

const apps = '/api/observability/apps'
const encodings = {
  json: { Traces: JsonTraces, Logs: JsonLogs, Metrics: JsonMetrics },
  protobuf: { Traces: ProtoTraces, Logs: ProtoLogs, Metrics: ProtoMetrics },
}

// OpenTelemetry as anybody installs it, told its endpoint and its headers by the two variables.
onEachEngine(stage => {
  let app: { id: number; app_token: string }
  let path: string

  beforeAll(async () => {
    app = (await stage.people.owner.post(apps, { name: 'Shop' })).body.data
    path = `${apps}/${app.id}`
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = stage.world.url
    process.env.OTEL_EXPORTER_OTLP_HEADERS = `X-App-Token=${app.app_token}`
  })
  afterAll(() => {
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
    delete process.env.OTEL_EXPORTER_OTLP_HEADERS
    delete process.env.OTEL_EXPORTER_OTLP_COMPRESSION
  })
  const get = async (what: string) => (await stage.people.viewer.get(`${path}/${what}`)).body.data

  test.each(['json', 'protobuf'] as const)('%s: what it sends is what is found', async name => {
    const { Traces, Logs, Metrics } = encodings[name]
    if (name === 'protobuf') process.env.OTEL_EXPORTER_OTLP_COMPRESSION = 'gzip'
    const service = `shop-${name}`
    const resource = resourceFromAttributes({ 'service.name': service })

    const tracers = new TracerProvider({
      resource,
      spanProcessors: [new BatchSpanProcessor({ exporter: new Traces() })],
    })
    const tracer = tracers.getTracer('test', '1.2')
    const root = tracer.startSpan(
      'GET /cart',
      { kind: SpanKind.SERVER, attributes: { 'cart.id': 'c-1', big: 2 ** 40 } },
      ROOT_CONTEXT,
    )
    const inner: Context = trace.setSpan(ROOT_CONTEXT, root)
    const child = tracer.startSpan(
      'SELECT',
      { links: [{ context: root.spanContext(), attributes: { why: 'x' } }] },
      inner,
    )
    child.addEvent('slow', { rows: 3, flags: [true, false] })
    child.setStatus({ code: SpanStatusCode.ERROR, message: 'no such table' })
    child.end()
    root.end()
    await tracers.shutdown()

    const loggers = new LoggerProvider({
      resource,
      processors: [new BatchLogRecordProcessor({ exporter: new Logs() })],
    })
    const attributes = { 'cart.id': `c-${name}`, ratio: Number.NaN }
    loggers
      .getLogger('test')
      .emit({ body: { text: `Order placed ${name}`, lines: [1, 2] }, severityNumber: 17, attributes, context: inner })
    await loggers.shutdown()

    const exporter = new Metrics()
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })
    const aggregation = { type: AggregationType.EXPONENTIAL_HISTOGRAM } as const
    const views = [{ instrumentName: 'size', aggregation }]
    const meters = new MeterProvider({ resource, readers: [reader], views })
    const meter = meters.getMeter('test')
    meter.createCounter('orders', { valueType: ValueType.INT }).add(7, { shop: 'a' })
    meter.createGauge('load').record(0.25)
    for (const ms of [3, 30, 300]) meter.createHistogram('latency', { unit: 'ms' }).record(ms)
    meter.createHistogram('size').record(100)
    await meters.shutdown()

    const { traceId, spanId } = root.spanContext()
    const { spans } = await get(`traces/${traceId}`)
    // By its clock a child may begin before its parent.
    spans.sort((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1))
    expect(spans).toMatchObject([
      {
        span_id: spanId,
        parent_span_id: null,
        service,
        name: 'GET /cart',
        kind: 'server',
        attributes: { 'cart.id': 'c-1', big: 2 ** 40 },
      },
      {
        parent_span_id: spanId,
        name: 'SELECT',
        status: 'error',
        status_message: 'no such table',
        scope: { name: 'test', version: '1.2' },
      },
    ])
    expect(spans[1].events).toMatchObject([{ name: 'slow', attributes: { rows: 3, flags: [true, false] } }])
    expect(spans[1].links).toMatchObject([{ trace_id: traceId, span_id: spanId, attributes: { why: 'x' } }])
    for (const query of [
      'status=error',
      'name=SELECT',
      'attr.cart.id=c-1',
      'min_duration=0',
      `attr.service.name=${service}`,
    ]) {
      const found = await get(`traces?service=${service}&${query}`)
      expect([query, found.map((each: { trace_id: string }) => each.trace_id)]).toEqual([query, [traceId]])
      expect(found).toMatchObject([{ root_name: 'GET /cart', span_count: 2, error_count: 1 }])
    }
    expect(await get(`traces?service=${service}&attr.cart.id=c-2`)).toEqual([])
    expect(await get(`traces?service=${service}&min_duration=60000`)).toEqual([])

    for (const query of [`q=placed+${name}`, `attr.cart.id=c-${name}`, 'severity=error']) {
      const logs = await get(`logs?service=${service}&trace_id=${traceId}&${query}`)
      expect(logs).toMatchObject([
        { body: { text: `Order placed ${name}` }, severity_number: 17, trace_id: traceId, span_id: spanId },
      ])
    }
    expect(await get(`logs?service=${service}&q=order+cancelled`)).toEqual([])
    expect(await get(`logs?service=${service}&severity=fatal`)).toEqual([])

    const value = async (metric: string, more = '') =>
      (await get(`metrics/${metric}?step=0&service=${service}${more}`)).series[0]
    expect(await value('orders')).toMatchObject({ attributes: { shop: 'a' }, points: [[expect.any(Number), 7]] })
    expect((await value('load')).points[0][1]).toBe(0.25)
    expect((await value('latency')).points[0][1]).toBe(111)
    expect((await value('latency', '&stat=max')).points[0][1]).toBe(300)
    expect((await value('size', '&stat=p50')).points[0][1]).toBeGreaterThan(90)
  })
})
