import type { Signal } from '../otlp.ts'

/** Export requests of all that there is, random and right. */

type Next = (below: number) => number
type Make = (next: Next, depth: number) => unknown

const one = (next: Next, ...values: unknown[]) => values[next(values.length)]
const many = (next: Next, most: number, make: () => unknown) => Array.from({ length: next(most + 1) }, make)
const long = (next: Next) =>
  String(one(next, '0', '1', '9007199254740993', '9223372036854775807', '1790000000123456789', `${next(1e6)}`))
const count = (next: Next) => String(one(next, '0', '3', `${next(1e6)}`, '9007199254740991'))
const double = (next: Next) => one(next, 0, 1.5, -0.25, 1e300, 5e-324, 'NaN', 'Infinity', '-Infinity', next(1000) / 7)
const text = (next: Next) => one(next, '', 'plain', 'grün', '"quoted"\n', '🦊', 'x'.repeat(next(200)), '\u0000')
const hex = (next: Next, bytes: number) =>
  one(next, 'ab'.repeat(bytes), 'AB'.repeat(bytes), Buffer.alloc(bytes, next(255) + 1).toString('hex'))

const values: Make[] = [
  next => ({ stringValue: text(next) }),
  next => ({ boolValue: next(2) === 0 }),
  next => ({ intValue: one(next, long(next), `-${long(next)}`.replace('-0', '0'), next(1e6), -5) }),
  next => ({ doubleValue: double(next) }),
  (next, depth) => ({ arrayValue: depth > 3 ? {} : { values: many(next, 3, () => value(next, depth + 1)) } }),
  (next, depth) => ({ kvlistValue: depth > 3 ? {} : { values: attributes(next, depth + 1) } }),
  next => ({ bytesValue: Buffer.alloc(next(20), next(256)).toString('base64') }),
  () => ({}),
]
const value = (next: Next, depth = 0): unknown => (values[next(values.length)] as Make)(next, depth)
function attributes(next: Next, depth = 0): unknown[] {
  return many(next, 4, () => ({
    key: one(next, 'a', 'b', 'service.name', '', 'grün', '__proto__'),
    value: value(next, depth),
  }))
}

/** Each field there or not. */
function some(next: Next, fields: Record<string, () => unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, make]) => (next(4) === 0 ? [] : [[name, make()]])))
}
const dropped = (next: Next) => () => next(5)

const span = (next: Next) => ({
  ...some(next, {
    parentSpanId: () => hex(next, 8),
    traceState: () => text(next),
    flags: () => next(1024),
    name: () => text(next),
    kind: () => next(6),
    startTimeUnixNano: () => long(next),
    endTimeUnixNano: () => long(next),
    attributes: () => attributes(next),
    events: () =>
      many(next, 3, () =>
        some(next, {
          timeUnixNano: () => long(next),
          name: () => text(next),
          attributes: () => attributes(next),
          droppedAttributesCount: dropped(next),
        }),
      ),
    links: () =>
      many(next, 3, () =>
        some(next, {
          traceId: () => hex(next, 16),
          spanId: () => hex(next, 8),
          traceState: () => text(next),
          attributes: () => attributes(next),
          droppedAttributesCount: dropped(next),
          flags: () => next(1024),
        }),
      ),
    status: () => some(next, { message: () => text(next), code: () => next(3) }),
    droppedAttributesCount: dropped(next),
    droppedEventsCount: dropped(next),
    droppedLinksCount: dropped(next),
  }),
  traceId: hex(next, 16),
  spanId: hex(next, 8),
})

const record = (next: Next) =>
  some(next, {
    timeUnixNano: () => long(next),
    observedTimeUnixNano: () => long(next),
    severityNumber: () => next(25),
    severityText: () => text(next),
    body: () => value(next),
    attributes: () => attributes(next),
    droppedAttributesCount: dropped(next),
    flags: () => next(256),
    traceId: () => hex(next, 16),
    spanId: () => hex(next, 8),
    eventName: () => text(next),
  })

const number = (next: Next): object =>
  one(next, { asInt: one(next, long(next), -next(100)) }, { asDouble: double(next) }, {}) as object
const exemplars = (next: Next) => () =>
  many(next, 2, () => ({
    ...some(next, {
      timeUnixNano: () => long(next),
      spanId: () => hex(next, 8),
      traceId: () => hex(next, 16),
      filteredAttributes: () => attributes(next),
    }),
    ...number(next),
  }))
const common = (next: Next) => ({
  attributes: () => attributes(next),
  startTimeUnixNano: () => long(next),
  timeUnixNano: () => long(next),
  flags: () => next(2),
})
const sums = (next: Next) => ({ count: () => count(next), sum: () => double(next) })
const edges = (next: Next) => ({ min: () => double(next), max: () => double(next), exemplars: exemplars(next) })
const buckets = (next: Next) => () =>
  some(next, { offset: () => next(100) - 50, bucketCounts: () => many(next, 5, () => count(next)) })
const dataPoints: Record<string, (next: Next) => object> = {
  gauge: next => ({ ...some(next, { ...common(next), exemplars: exemplars(next) }), ...number(next) }),
  histogram: next =>
    some(next, {
      ...common(next),
      ...sums(next),
      ...edges(next),
      bucketCounts: () => many(next, 5, () => count(next)),
      explicitBounds: () => many(next, 4, () => double(next)),
    }),
  exponentialHistogram: next =>
    some(next, {
      ...common(next),
      ...sums(next),
      ...edges(next),
      scale: () => next(40) - 20,
      zeroCount: () => count(next),
      zeroThreshold: () => double(next),
      positive: buckets(next),
      negative: buckets(next),
    }),
  summary: next =>
    some(next, {
      ...common(next),
      ...sums(next),
      quantileValues: () => many(next, 3, () => ({ quantile: next(100) / 100, value: double(next) })),
    }),
}
function metric(next: Next): object {
  const kind = String(one(next, 'gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'))
  const make = dataPoints[kind === 'sum' ? 'gauge' : kind] as (next: Next) => object
  const data = some(next, { dataPoints: () => many(next, 3, () => make(next)) })
  if (kind !== 'gauge' && kind !== 'summary') data.aggregationTemporality = next(3)
  if (kind === 'sum') data.isMonotonic = next(2) === 0
  return { name: `m${next(9)}`, ...some(next, { unit: () => text(next), description: () => text(next) }), [kind]: data }
}

const shapes = {
  traces: ['resourceSpans', 'scopeSpans', 'spans', span],
  logs: ['resourceLogs', 'scopeLogs', 'logRecords', record],
  metrics: ['resourceMetrics', 'scopeMetrics', 'metrics', metric],
} as const

export function bodyOf(signal: Signal, next: Next): object {
  const [resources, scopes, items, item] = shapes[signal]
  const scoped = () => ({
    ...some(next, {
      scope: () =>
        some(next, {
          name: () => text(next),
          version: () => text(next),
          attributes: () => attributes(next),
          droppedAttributesCount: dropped(next),
        }),
      schemaUrl: () => text(next),
    }),
    [items]: many(next, 4, () => item(next)),
  })
  const one = () => ({
    ...some(next, {
      resource: () => some(next, { attributes: () => attributes(next), droppedAttributesCount: dropped(next) }),
      schemaUrl: () => text(next),
    }),
    [scopes]: many(next, 3, scoped),
  })
  return { [resources]: many(next, 3, one) }
}
