import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readExport, type Signal, signals } from './otlp.ts'
import { type Span, UnreadableError } from './rows.ts'

const examples = `${import.meta.dirname}/testing/otlp-examples/`
const files: Record<Signal, string> = { traces: 'trace', logs: 'logs', metrics: 'metrics' }
const json = (signal: Signal) => readFileSync(`${examples}${files[signal]}.json`)

/** A generator of its own, so that a failure can be had again. */
function randomly(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}

/** Reads it, or says that it cannot be read: anything else is a fault. */
function outcome(signal: Signal, media: 'application/json' | 'application/x-protobuf', bytes: Buffer): string {
  try {
    return `${readExport(signal, media, bytes).items.length} items`
  } catch (error) {
    if (error instanceof UnreadableError) return 'unreadable'
    throw error
  }
}

const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) | 128, ...varint(value >>> 7)])
const field = (number: number, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes])
const fixed = (number: number, value: bigint): Buffer => {
  const bytes = Buffer.alloc(9)
  bytes[0] = (number << 3) | 1
  bytes.writeBigUInt64LE(value, 1)
  return bytes
}

/** A span with most of what a span can have, and a field that nobody knows. */
function protobufSpan(): Buffer {
  const text = (number: number, value: string) => field(number, Buffer.from(value))
  const attribute = (number: number, key: string, value: Buffer) =>
    field(number, Buffer.concat([text(1, key), field(2, value)]))
  const span = Buffer.concat([
    field(1, Buffer.alloc(16, 0xab)),
    field(2, Buffer.alloc(8, 0xcd)),
    text(5, 'GET /cart'),
    fixed(7, 1_544_712_660_000_000_001n),
    fixed(8, 1_544_712_661_000_000_003n),
    attribute(9, 'big', Buffer.from([0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f])),
    attribute(9, 'nothing', Buffer.alloc(0)),
    text(99, 'unknown'),
    field(11, Buffer.concat([fixed(1, 5n), text(2, 'slow')])),
  ])
  // The resource comes last: fields may come in any order.
  const resource = attribute(1, 'service.name', text(1, 'shop'))
  return field(1, Buffer.concat([field(2, field(2, span)), field(1, resource)]))
}

test('integers of 64 bits are exact in both encodings, as text and as numbers', () => {
  const value = (intValue: string) =>
    Buffer.from(
      `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"${'A'.repeat(32)}","spanId":"${'b'.repeat(16)}",
       "startTimeUnixNano":1544712660000000001,"attributes":[{"key":"k","value":{"intValue":${intValue}}}]}]}]}]}`,
    )
  for (const [sent, kept] of [
    ['9223372036854775807', '9223372036854775807'],
    ['"-9223372036854775808"', '-9223372036854775808'],
    ['9007199254740991', 9007199254740991],
    ['"5"', 5],
    ['1.7e18', '1700000000000000000'],
  ] as const) {
    const [span] = readExport('traces', 'application/json', value(sent)).items as [Span]
    expect(span.attributes).toEqual(['k', kept])
    expect([span.start, span.traceId]).toEqual(['1544712660000000001', 'a'.repeat(32)])
  }
  const [span] = readExport('traces', 'application/x-protobuf', protobufSpan()).items as [Span]
  expect(span.attributes).toEqual(['big', '9223372036854775807', 'nothing', null])
  expect([span.start, span.end]).toEqual(['1544712660000000001', '1544712661000000003'])
  expect([span.origin.resource.service, span.name, span.events[0]?.name]).toEqual(['shop', 'GET /cart', 'slow'])
})

test('numbers that look like long integers within text, or are none, stay as they are', () => {
  const text = 'x: 12345678901234567890, "1.7e18" \\'
  const attributes = [
    { key: text, value: { stringValue: text } },
    { key: 'd', value: { doubleValue: 1e300 } },
    { key: 'e', value: { doubleValue: 1.5e18 } },
  ]
  const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), attributes, endTimeUnixNano: 'END' }
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
  const bytes = Buffer.from(body.replace('"END"', '1544712660000000001'))
  const [read] = readExport('traces', 'application/json', bytes).items as [Span]
  expect([read.end, read.attributes]).toEqual(['1544712660000000001', [text, text, 'd', 1e300, 'e', 1.5e18]])
})

test('values that are missing or null, and numbers that JSON has no word for', () => {
  const attributes = [
    { key: 'a', value: { doubleValue: null } },
    { key: 'b', value: {} },
    { key: 'c' },
    { key: 'd', value: { doubleValue: 'NaN' } },
    {
      key: 'e',
      value: {
        arrayValue: { values: [{ kvlistValue: { values: [{ key: '__proto__', value: { boolValue: true } }] } }, {}] },
      },
    },
  ]
  const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), attributes, events: null, status: null, kind: null }
  const body = { resourceSpans: [{ resource: null, scopeSpans: [{ spans: [span], unknown: [1] }] }], unknown: {} }
  const [read] = readExport('traces', 'application/json', Buffer.from(JSON.stringify(body))).items as [Span]
  expect(JSON.stringify(read.attributes)).toBe('["a",null,"b",null,"c",null,"d","NaN","e",[{"__proto__":true},null]]')
})

test('hundreds of damaged bodies are read or refused, and nothing else', () => {
  const random = randomly(7)
  const seen = new Set<string>()
  for (const signal of signals) {
    const whole = json(signal)
    for (let turn = 0; turn < 200; turn++) {
      const bytes = Buffer.from(whole)
      for (let change = 0; change <= turn % 5; change++) bytes[random(bytes.length)] = random(256)
      seen.add(outcome(signal, 'application/json', turn % 3 === 0 ? bytes.subarray(0, random(bytes.length)) : bytes))
    }
    const binary = Buffer.concat([protobufSpan(), protobufSpan()])
    for (let turn = 0; turn < 300; turn++) {
      const bytes = Buffer.from(binary)
      for (let change = 0; change <= turn % 4; change++) bytes[random(bytes.length)] = random(256)
      seen.add(
        outcome(signal, 'application/x-protobuf', turn % 3 === 0 ? bytes.subarray(0, random(bytes.length)) : bytes),
      )
      const noise = Buffer.from(Array.from({ length: random(60) }, () => random(256)))
      seen.add(outcome(signal, 'application/x-protobuf', noise))
    }
  }
  expect(seen).toContain('unreadable')
  expect(seen).toContain('1 items')
})

test('what is nested deep, or becomes much larger in memory, is refused before it is there', () => {
  const deep = (open: string, close: string, times: number) =>
    Buffer.from(
      `{"resourceSpans":[{"resource":{"attributes":[{"key":"k","value":${open.repeat(times)}{}${close.repeat(times)}}]}}]}`,
    )
  const array = ['{"arrayValue":{"values":[', ']}}'] as const
  expect(outcome('traces', 'application/json', deep(...array, 60))).toBe('0 items')
  expect(outcome('traces', 'application/json', deep(...array, 70))).toBe('unreadable')
  expect(outcome('traces', 'application/json', deep(...array, 100_000))).toBe('unreadable')
  expect(outcome('logs', 'application/json', Buffer.alloc(2_000_000, '['))).toBe('unreadable')
  expect(outcome('logs', 'application/json', Buffer.from(`{"x":[${'{},'.repeat(5_000_000)}{}]}`))).toBe('unreadable')
  // Two bytes each, of items, of parts of one, and of numbers.
  const nothings = (number: number) => Buffer.alloc(8_000_000, Buffer.from([(number << 3) | 2, 0]))
  const inSpan = (bytes: Buffer) => field(1, field(2, field(2, bytes)))
  for (const bytes of [field(1, field(2, nothings(2))), inSpan(nothings(11)), inSpan(nothings(9))]) {
    expect(outcome('traces', 'application/x-protobuf', bytes)).toBe('unreadable')
  }
  const buckets = field(10, field(1, field(8, field(2, Buffer.alloc(8_000_000, 1)))))
  expect(outcome('metrics', 'application/x-protobuf', field(1, field(2, field(2, buckets))))).toBe('unreadable')
  let value: Buffer = Buffer.alloc(0)
  for (let times = 0; times < 200; times++) value = field(5, field(1, value))
  const attribute = Buffer.concat([field(1, Buffer.from('k')), field(2, value)])
  expect(outcome('traces', 'application/x-protobuf', field(1, field(1, field(1, attribute))))).toBe('unreadable')
  expect(outcome('traces', 'application/x-protobuf', Buffer.alloc(1_000_000, 0x0b))).toBe('unreadable')
})

test('a time before 1970, or fewer than none, is refused: no list would ever show it', () => {
  const of = (resources: string, scopes: string, items: object) => ({ [resources]: [{ [scopes]: [items] }] })
  const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
  const histogram = { dataPoints: [{ count: '-1' }] }
  for (const [signal, body] of [
    ['traces', of('resourceSpans', 'scopeSpans', { spans: [{ ...ids, startTimeUnixNano: '-5' }] })],
    ['traces', of('resourceSpans', 'scopeSpans', { spans: [{ ...ids, events: [{ timeUnixNano: -5 }] }] })],
    ['logs', of('resourceLogs', 'scopeLogs', { logRecords: [{ timeUnixNano: '-5' }] })],
    ['logs', of('resourceLogs', 'scopeLogs', { logRecords: [{ observedTimeUnixNano: '-5' }] })],
    ['metrics', of('resourceMetrics', 'scopeMetrics', { metrics: [{ name: 'm', histogram }] })],
  ] as const) {
    const bytes = Buffer.from(JSON.stringify(body))
    expect(() => readExport(signal, 'application/json', bytes), JSON.stringify(body)).toThrow('must not be negative')
  }
})
