import { beforeAll, expect, test } from 'vitest'
import { encode } from '../../packages/server/src/ingest/testing/encode.ts'
import { onEachEngine } from '../engines.ts'

const apps = '/api/observability/apps'

const all = [
  { key: 'text', value: { stringValue: 'grün "quoted"\n\u0000 🦊' } },
  { key: 'empty', value: { stringValue: '' } },
  { key: 'long', value: { intValue: '9223372036854775807' } },
  { key: 'least', value: { intValue: '-9223372036854775808' } },
  { key: 'exact', value: { intValue: '9007199254740991' } },
  { key: 'double', value: { doubleValue: 0.1 } },
  { key: 'nan', value: { doubleValue: 'NaN' } },
  { key: 'no', value: { boolValue: false } },
  { key: 'bytes', value: { bytesValue: 'AP8Q' } },
  { key: 'nothing', value: {} },
  { key: 'list', value: { arrayValue: { values: [{ intValue: '1' }, { stringValue: 'a' }, { arrayValue: {} }] } } },
  {
    key: 'map',
    value: {
      kvlistValue: {
        values: [
          { key: 'a', value: { kvlistValue: { values: [{ key: '__proto__', value: { boolValue: true } }] } } },
          { key: '', value: { doubleValue: -1e300 } },
        ],
      },
    },
  },
]
const read = {
  text: 'grün "quoted"\n\u0000 🦊',
  empty: '',
  long: '9223372036854775807',
  least: '-9223372036854775808',
  exact: 9007199254740991,
  double: 0.1,
  nan: 'NaN',
  no: false,
  bytes: 'AP8Q',
  nothing: null,
  list: [1, 'a', []],
  map: { a: JSON.parse('{"__proto__":true}'), '': -1e300 },
}

const at = 1_790_000_000_123_456_789n
const iso = '2026-09-21T14:13:20.123Z'
const time = (more: bigint) => String(at + more)
const traceId = 'A'.repeat(32)
const spanId = 'Bb'.repeat(8)

const resource = {
  attributes: [...all, { key: 'service.name', value: { stringValue: 'shop' } }],
  droppedAttributesCount: 1,
}
const scope = { name: 'lib', version: '1.2', attributes: all, droppedAttributesCount: 2 }
const sender = {
  service: 'shop',
  resource: { ...read, 'service.name': 'shop' },
  resource_schema_url: 'https://example.com/1',
  resource_dropped_attributes_count: 1,
  scope: {
    name: 'lib',
    version: '1.2',
    attributes: read,
    schema_url: 'https://example.com/2',
    dropped_attributes_count: 2,
  },
}
const of = (resources: string, scopes: string, items: string, item: object) => ({
  [resources]: [
    {
      resource,
      schemaUrl: 'https://example.com/1',
      [scopes]: [{ scope, schemaUrl: 'https://example.com/2', [items]: [item] }],
    },
  ],
})

const span = {
  traceId,
  spanId,
  parentSpanId: 'Cc'.repeat(8),
  traceState: 'vendor=1,other=2',
  flags: 0x301,
  name: 'GET /cart',
  kind: 5,
  startTimeUnixNano: time(0n),
  endTimeUnixNano: time(1_000_000_001n),
  attributes: all,
  droppedAttributesCount: 3,
  events: [{ timeUnixNano: time(7n), name: 'slow', attributes: all, droppedAttributesCount: 4 }],
  droppedEventsCount: 5,
  links: [
    {
      traceId: 'D'.repeat(32),
      spanId: 'E'.repeat(16),
      traceState: 'x=y',
      attributes: all,
      droppedAttributesCount: 6,
      flags: 257,
    },
  ],
  droppedLinksCount: 7,
  status: { message: 'it failed', code: 2 },
}

const bodies: [object, unknown][] = [
  [{ stringValue: 'said' }, 'said'],
  [{ stringValue: '' }, ''],
  [{ intValue: '9007199254740993' }, '9007199254740993'],
  [{ doubleValue: 1.5 }, 1.5],
  [{ boolValue: true }, true],
  [{ bytesValue: 'AP8Q' }, 'AP8Q'],
  [{ arrayValue: { values: [{ stringValue: 'a' }, {}] } }, ['a', null]],
  [{ kvlistValue: { values: [{ key: 'a', value: { intValue: 5 } }] } }, { a: 5 }],
  [{}, null],
]

onEachEngine(stage => {
  let app: { id: number; app_token: string }
  beforeAll(async () => {
    app = (await stage.people.owner.post(apps, { name: 'Shop' })).body.data
  })
  const get = async (what: string) => (await stage.people.viewer.get(`${apps}/${app.id}/${what}`)).body.data

  async function send(signal: 'traces' | 'logs' | 'metrics', encoding: string, body: object): Promise<void> {
    const isJson = encoding === 'json'
    const answer = await fetch(`${stage.world.url}/v1/${signal}`, {
      method: 'POST',
      headers: { 'content-type': isJson ? 'application/json' : 'application/x-protobuf', 'x-app-token': app.app_token },
      body: isJson ? JSON.stringify(body) : new Uint8Array(encode(signal, body)),
    })
    expect([answer.status, await answer.text()]).toEqual([200, isJson ? '{}' : ''])
  }

  test.each(['json', 'protobuf'] as const)('all that a span says in %s is in its trace', async encoding => {
    const id = (encoding === 'json' ? '1' : '2').repeat(32)
    await send('traces', encoding, of('resourceSpans', 'scopeSpans', 'spans', { ...span, traceId: id }))
    expect(await get(`traces/${id}`)).toEqual({
      trace_id: id,
      complete: true,
      spans: [
        {
          span_id: 'bb'.repeat(8),
          parent_span_id: 'cc'.repeat(8),
          name: 'GET /cart',
          kind: 'consumer',
          started_at: iso,
          duration_ms: 1000.000001,
          start_time_unix_nano: time(0n),
          end_time_unix_nano: time(1_000_000_001n),
          status: 'error',
          status_message: 'it failed',
          trace_state: 'vendor=1,other=2',
          flags: 0x301,
          attributes: read,
          ...sender,
          events: [
            { timestamp: iso, time_unix_nano: time(7n), name: 'slow', attributes: read, dropped_attributes_count: 4 },
          ],
          links: [
            {
              trace_id: 'd'.repeat(32),
              span_id: 'e'.repeat(16),
              trace_state: 'x=y',
              flags: 257,
              attributes: read,
              dropped_attributes_count: 6,
            },
          ],
          dropped_attributes_count: 3,
          dropped_events_count: 5,
          dropped_links_count: 7,
        },
      ],
    })
  })

  test.each(['json', 'protobuf'] as const)(
    'all that a log record says in %s is found, whatever its body is',
    async encoding => {
      for (const [place, [body, expected]] of bodies.entries()) {
        const id = `${encoding === 'json' ? '3' : '4'}${place}`.padEnd(32, 'f')
        const record = {
          timeUnixNano: time(0n),
          observedTimeUnixNano: time(5n),
          severityNumber: 18,
          severityText: 'Fehler',
          body,
          attributes: all,
          droppedAttributesCount: 3,
          flags: 1,
          traceId: id,
          spanId,
          eventName: 'cart.opened',
        }
        await send('logs', encoding, of('resourceLogs', 'scopeLogs', 'logRecords', record))
        expect(await get(`logs?trace_id=${id}`)).toEqual([
          {
            timestamp: iso,
            time_unix_nano: time(0n),
            observed_time_unix_nano: time(5n),
            severity: 'Fehler',
            severity_number: 18,
            body: expected,
            event_name: 'cart.opened',
            attributes: read,
            dropped_attributes_count: 3,
            ...sender,
            trace_id: id,
            span_id: 'bb'.repeat(8),
            flags: 1,
          },
        ])
      }
    },
  )

  test.each(['json', 'protobuf'] as const)(
    'all that points of each kind say in %s is in their series',
    async encoding => {
      const now = BigInt(Date.now()) * 1_000_000n
      const ms = Number(now / 1_000_000n)
      const service = `shop-${encoding}`
      const own = { key: 'own', value: { boolValue: true } }
      const common = {
        timeUnixNano: String(now),
        startTimeUnixNano: String(now - 5n),
        attributes: [...all, own],
        flags: 0,
      }
      const exemplar = {
        timeUnixNano: String(now),
        asInt: '-9007199254740993',
        traceId,
        spanId,
        filteredAttributes: all,
      }
      const histogram = {
        count: '6',
        sum: 60.5,
        min: -1,
        max: 50,
        bucketCounts: ['1', '2', '3'],
        explicitBounds: [1, 10],
      }
      const exponential = {
        count: '9',
        sum: 1.5,
        scale: -2,
        zeroCount: '3',
        zeroThreshold: 0.001,
        positive: { offset: 4, bucketCounts: ['1', '0', '2'] },
        negative: { offset: -5, bucketCounts: ['3'] },
        min: -7,
        max: 8,
      }
      const summary = {
        count: '4',
        sum: 10,
        quantileValues: [
          { quantile: 0.5, value: 2 },
          { quantile: 1, value: 5 },
        ],
      }
      const none = (more: object) => ({
        ...more,
        timeUnixNano: String(now),
        flags: 1,
        attributes: [{ key: 'none', value: { boolValue: true } }],
      })
      const metrics = [
        {
          name: 'v.gauge',
          unit: 'By',
          description: 'how much',
          gauge: { dataPoints: [{ ...common, asDouble: 0.1, exemplars: [exemplar] }, none({ asInt: '0' })] },
        },
        {
          name: 'v.sum',
          sum: { dataPoints: [{ ...common, asInt: '9007199254740993' }], aggregationTemporality: 1, isMonotonic: true },
        },
        {
          name: 'v.least',
          sum: { dataPoints: [{ ...common, asInt: '-9223372036854775808' }], aggregationTemporality: 2 },
        },
        {
          name: 'v.histogram',
          histogram: {
            dataPoints: [{ ...common, ...histogram, exemplars: [exemplar] }, none({ count: '0' })],
            aggregationTemporality: 2,
          },
        },
        {
          name: 'v.exponential',
          exponentialHistogram: { dataPoints: [{ ...common, ...exponential }], aggregationTemporality: 1 },
        },
        { name: 'v.summary', summary: { dataPoints: [{ ...common, ...summary }] } },
      ]
      const ofService = { attributes: [...all, { key: 'service.name', value: { stringValue: service } }] }
      const body = { resourceMetrics: [{ resource: ofService, scopeMetrics: [{ scope, metrics }] }] }
      await send('metrics', encoding, body)
      const series = async (name: string, more = '') =>
        (await get(`metrics/${name}?step=0&service=${service}${more}`)).series
      const one = {
        attributes: { ...read, own: true, 'service.name': service },
        resource: { ...read, 'service.name': service },
        scope: { name: 'lib', version: '1.2', attributes: read },
        temporality: 'unspecified',
        monotonic: false,
        distributions: [],
        exemplars: [],
      }
      const example = {
        timestamp: new Date(ms).toISOString(),
        value: '-9007199254740993',
        trace_id: traceId.toLowerCase(),
        span_id: spanId.toLowerCase(),
        attributes: read,
      }
      const withAll = '&attr.own=true'
      expect(await series('v.gauge', withAll)).toEqual([{ ...one, points: [[ms, 0.1]], exemplars: [example] }])
      expect((await series('v.gauge', '&attr.none=true'))[0].points).toEqual([[ms, null]])
      expect(await series('v.sum')).toEqual([
        { ...one, temporality: 'delta', monotonic: true, points: [[ms, '9007199254740993']] },
      ])
      expect((await series('v.least'))[0]).toMatchObject({
        temporality: 'cumulative',
        points: [[ms, '-9223372036854775808']],
      })
      expect(await series('v.histogram', withAll)).toEqual([
        {
          ...one,
          temporality: 'cumulative',
          points: [[ms, 60.5 / 6]],
          distributions: [{ at: ms, count: 6, sum: 60.5, min: -1, max: 50, bounds: [1, 10], counts: [1, 2, 3] }],
          exemplars: [example],
        },
      ])
      expect((await series('v.histogram', '&attr.none=true'))[0]).toMatchObject({
        points: [[ms, null]],
        distributions: [],
      })
      expect((await series('v.exponential'))[0].distributions).toEqual([
        {
          at: ms,
          count: 9,
          sum: 1.5,
          min: -7,
          max: 8,
          scale: -2,
          zero_count: 3,
          zero_threshold: 0.001,
          positive: { offset: 4, counts: [1, 0, 2] },
          negative: { offset: -5, counts: [3] },
        },
      ])
      expect((await series('v.summary', '&stat=p99'))[0]).toMatchObject({
        points: [[ms, 5]],
        distributions: [
          {
            at: ms,
            count: 4,
            sum: 10,
            quantiles: [
              [0.5, 2],
              [1, 5],
            ],
          },
        ],
      })
      const names = (await get('metrics')).filter(({ name }: { name: string }) => name === 'v.gauge')
      expect(names).toEqual([{ name: 'v.gauge', type: 'gauge', unit: 'By', description: 'how much' }])
    },
  )

  test('a series is found by each of its attributes, however they are written, and by no other', async () => {
    const values = [
      '100%',
      '100x',
      'a_b',
      'axb',
      'A_B',
      '!',
      'quoted "x"',
      'back\\slash',
      'grün',
      '["a",1]',
      '5',
      'true',
    ]
    const point = (value: object) => ({
      timeUnixNano: `${Date.now()}000000`,
      asInt: '1',
      attributes: [{ key: 'k%_', value }],
    })
    const dataPoints = [
      ...values.slice(0, -3).map(stringValue => point({ stringValue })),
      point({ arrayValue: { values: [{ stringValue: 'a' }, { intValue: '1' }] } }),
      point({ intValue: '5' }),
      point({ boolValue: true }),
    ]
    const body = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'v.found', gauge: { dataPoints } }] }] }] }
    await send('metrics', 'json', body)
    for (const value of values) {
      const { series } = await get(`metrics/v.found?${new URLSearchParams({ 'attr.k%_': value, step: '0' })}`)
      expect([value, series.length]).toEqual([value, 1])
    }
    for (const query of ['attr.k%25_=100y', 'attr.kxy=5', 'service=other']) {
      const { status, body } = await stage.people.viewer.get(`${apps}/${app.id}/metrics/v.found?${query}`)
      expect([query, status, body.data?.series ?? body]).toEqual([query, 200, []])
    }
    expect((await get('metrics/v.found?service=unknown_service')).series.length).toBe(values.length)
  })
})
