import { expect, test } from 'vitest'
import { readExport } from '../ingest/otlp.ts'
import { type PreparedLogs, prepareLogs } from './prepared-logs.ts'
import { scanLogs } from './scan-logs.ts'
import { damaged, hashesOf, randomly } from './testing/bodies.ts'

/** As it is read by those who parse it; nothing where it is refused. */
function parsed(body: Buffer): PreparedLogs | undefined {
  try {
    return prepareLogs(readExport('logs', 'application/json', body).items)
  } catch {
    return undefined
  }
}

const seen = (logs: PreparedLogs | undefined) =>
  logs && { ...logs, text: logs.text.toString('utf8'), hashes: hashesOf(logs) }

const usual = {
  timeUnixNano: '1790000000123456789',
  observedTimeUnixNano: '1790000000123456789',
  severityNumber: 9,
  severityText: 'INFO',
  body: { stringValue: 'GET /cart_1 answered 200 after 17 ms; Order-Placed' },
  attributes: [
    { key: 'http.route', value: { stringValue: '/cart/{id}' } },
    { key: 'status', value: { intValue: 200 } },
  ],
  droppedAttributesCount: 0,
}
const others: Record<string, unknown[]> = {
  timeUnixNano: [1790000000, '5', undefined, '4100000000000000000'],
  observedTimeUnixNano: ['1790000000123456788', undefined, '5', null, 0],
  severityNumber: [0, 17, 255, 300, undefined, '9', -1, 1.5],
  severityText: ['', 'grün', 'a"b', undefined, 5],
  body: [
    { stringValue: '' },
    { stringValue: 'grün' },
    { stringValue: 'tab\there' },
    { stringValue: 'x'.repeat(100) },
    { stringValue: 'word '.repeat(20_000) },
    { intValue: '5' },
    { kvlistValue: { values: [{ key: 'a', value: { stringValue: 'b' } }] } },
    {},
    null,
    undefined,
    'text',
  ],
  attributes: [[], undefined, [{ key: 'ü', value: { stringValue: 'ä' } }], [{ key: 'd', value: { doubleValue: 0.5 } }]],
  traceId: ['5b8efff798038103d269b633813fc60c', '', 'AB', undefined],
  spanId: ['eee19b7ec3c1b174', '', 'x', undefined],
  flags: [0, 1, undefined, '1'],
  droppedAttributesCount: [1, undefined],
  eventName: ['', 'late', undefined],
  unknown: [1, undefined],
}

function bodyOf(next: (below: number) => number): string {
  const logRecords = Array.from({ length: 1 + next(4) }, () => {
    const record: Record<string, unknown> = { ...usual }
    for (const [field, values] of Object.entries(others)) {
      if (next(25) === 0) record[field] = values[next(values.length)]
    }
    return record
  })
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] }
  return JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'lib' }, logRecords }] }] })
}

test('what is scanned is what would be parsed', () => {
  const next = randomly(5)
  let scanned = 0
  for (let turn = 0; turn < 3000; turn++) {
    const body = Buffer.from(bodyOf(next))
    const found = scanLogs(body)
    if (found === undefined) continue
    scanned++
    expect(seen(found)).toEqual(seen(parsed(body)))
  }
  expect(scanned).toBeGreaterThan(2000)
})

test('a body that is damaged is never taken for another', () => {
  const next = randomly(13)
  let scanned = 0
  for (let turn = 0; turn < 10_000; turn++) {
    const body = Buffer.from(damaged(bodyOf(next), next))
    const found = scanLogs(body)
    if (found === undefined) continue
    scanned++
    expect(seen(found), body.toString()).toEqual(seen(parsed(body)))
  }
  expect(scanned).toBeGreaterThan(1000)
})
