import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readExport } from '../ingest/otlp.ts'
import { type PreparedSpans, prepareSpans } from './prepared-spans.ts'
import { scanSpans } from './scan-spans.ts'
import { damaged, hashesOf, randomly } from './testing/bodies.ts'

/** As it is read by those who parse it: what would be kept, or nothing where something of it would be left out or refused. */
function parsed(body: Buffer): PreparedSpans | undefined {
  try {
    const { items, rejected } = readExport('traces', 'application/json', body)
    return rejected === 0 ? prepareSpans(items) : undefined
  } catch {
    return undefined
  }
}

const seen = (spans: PreparedSpans | undefined) =>
  spans && { ...spans, text: spans.text.toString('utf8'), hashes: hashesOf(spans), origins: spans.origins }

const usual = {
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: 'eee19b7ec3c1b174',
  parentSpanId: 'eee19b7ec3c1b173',
  name: 'GET /cart',
  kind: 2,
  startTimeUnixNano: '1790000000123456789',
  endTimeUnixNano: '1790000001023456788',
  attributes: [
    { key: 'http.route', value: { stringValue: '/cart/{id}' } },
    { key: 'status', value: { intValue: 200 } },
    { key: 'quoted', value: { intValue: '12' } },
    { key: 'ok', value: { boolValue: true } },
    { key: 'share', value: { doubleValue: 0.25 } },
    { key: 'long', value: { stringValue: 'x'.repeat(70) } },
  ],
  droppedAttributesCount: 0,
  events: [],
  droppedEventsCount: 0,
  status: { code: 0 },
  links: [],
  droppedLinksCount: 0,
  flags: 257,
}
/** Other ways to write fields, most of them right. */
const others: Record<string, unknown[]> = {
  traceId: ['5B8EFFF798038103D269B633813FC60C', '0'.repeat(32), 'ab', undefined],
  spanId: ['eee19b7ec3c1b17g', undefined, 'EEE19B7EC3C1B174'],
  parentSpanId: ['', undefined, null, '0'.repeat(16)],
  name: ['', 'grün', 'with "quotes"', 'tab\t', undefined, 5, 'a'.repeat(60)],
  kind: [0, '2', -1, 1.5, undefined, 99, 1e20],
  startTimeUnixNano: [1790000000, '0', '1', undefined, '4100000000000000000', '9999999999999999999', '-5'],
  endTimeUnixNano: ['0', undefined, '1790000000123456788', '1790000000123456789', 17],
  attributes: [
    [],
    null,
    undefined,
    [{ key: 'a' }],
    [{ key: 'a', value: null }],
    [{ key: 'a', value: {} }],
    [{ value: { stringValue: 'x' }, key: 'b' }],
    [{ key: 'ü', value: { stringValue: 'ä' } }],
    [{ key: '', value: { stringValue: '' } }],
    [{ key: 'list', value: { arrayValue: { values: [{ intValue: 1 }] } } }],
    [
      { key: 'n', value: { doubleValue: 1e20 } },
      { key: 'm', value: { doubleValue: -0.5e-7 } },
    ],
    [
      { key: 'n', value: { doubleValue: 'NaN' } },
      { key: 'm', value: { doubleValue: 3 } },
    ],
    [{ key: 'n', value: { intValue: '9223372036854775807' } }],
    [{ key: 'n', value: { intValue: '007' } }],
    [{ key: 'n', value: { intValue: -3 } }],
    [{ key: 'b', value: { boolValue: false } }],
    [{ key: 'both', value: { stringValue: 'a', intValue: 1 } }],
    [...usual.attributes, 5],
  ],
  status: [
    {},
    { code: 2 },
    { code: 2, message: 'it failed' },
    { message: 'why', code: 1 },
    null,
    undefined,
    { code: '2' },
  ],
  events: [[{ name: 'e', timeUnixNano: '5' }], null, undefined, '', [{}]],
  links: [[{ traceId: 'AB' }], 0],
  flags: [0, undefined, 1, '5'],
  traceState: ['', 'a=b', 0],
  droppedLinksCount: [1, undefined, ''],
  unknown: [1, { deep: [1] }, undefined],
}

function bodyOf(next: (below: number) => number): string {
  const spans = Array.from({ length: 1 + next(4) }, (_, at) => {
    const span: Record<string, unknown> = { ...usual, spanId: `eee19b7ec3c1b17${at}` }
    for (const [field, values] of Object.entries(others)) {
      if (next(60) === 0) span[field] = values[next(values.length)]
    }
    const entries = Object.entries(span)
    return Object.fromEntries(next(10) === 0 ? entries.toReversed() : entries)
  })
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: next(5) === 0 ? 'läden' : 'shop' } }] }
  const scope = { name: 'lib', version: '1' }
  const scopeSpans = [next(2) === 0 ? { scope, spans } : { spans, schemaUrl: 'https://example.com' }]
  const resourceSpans = [next(2) === 0 ? { resource, scopeSpans, schemaUrl: 'x' } : { scopeSpans, resource }]
  if (next(3) === 0) resourceSpans.push({ resource: { attributes: [] }, scopeSpans: [] })
  return JSON.stringify({ resourceSpans }, undefined, next(30) === 0 ? 1 : undefined)
}

const example = readFileSync(`${import.meta.dirname}/../ingest/testing/otlp-examples/trace.json`, 'utf8')

test('what is scanned is what would be parsed', () => {
  const next = randomly(7)
  let scanned = 0
  for (let turn = 0; turn < 3000; turn++) {
    const body = Buffer.from(bodyOf(next))
    const found = scanSpans(body)
    if (found === undefined) continue
    scanned++
    expect(seen(found)).toEqual(seen(parsed(body)))
  }
  expect(scanned).toBeGreaterThan(2000)
  const compact = Buffer.from(JSON.stringify(JSON.parse(example)))
  expect(seen(scanSpans(compact))).toEqual(seen(parsed(compact)))
})

test('a body that is damaged is never taken for another', () => {
  const next = randomly(11)
  let scanned = 0
  for (let turn = 0; turn < 20_000; turn++) {
    const body = Buffer.from(damaged(bodyOf(next), next))
    const found = scanSpans(body)
    if (found === undefined) continue
    scanned++
    expect(seen(found), body.toString()).toEqual(seen(parsed(body)))
  }
  expect(scanned).toBeGreaterThan(1000)
})

test('one span that is written otherwise leaves the others to be scanned', () => {
  const events = Array.from({ length: 500 }, () => ({}))
  const spans = [usual, { ...usual, name: 'grün', events }, usual]
  const body = Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))
  expect(seen(scanSpans(body))).toEqual(seen(parsed(body)))
  expect(scanSpans(body)?.count).toBe(3)
})

test('room for a body that is too large to be scanned is not even made', () => {
  const body = Buffer.alloc(20 * 1_048_576, ' ')
  const before = process.memoryUsage().arrayBuffers
  expect(scanSpans(body)).toBeUndefined()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_048_576)
})
