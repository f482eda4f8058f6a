import { expect, test } from 'vitest'
import { readExport } from '../ingest/otlp.ts'
import type { Point } from '../ingest/rows.ts'
import { scanPoints } from './scan-points.ts'
import { damaged, randomly } from './testing/bodies.ts'

/** As it is read by those who parse it; nothing where it is refused, or some of it is left out. */
function parsed(body: Buffer): Point[] | undefined {
  try {
    const { items, rejected } = readExport('metrics', 'application/json', body)
    return rejected === 0 ? items : undefined
  } catch {
    return undefined
  }
}

const usual = {
  attributes: [
    { key: 'http.route', value: { stringValue: '/cart' } },
    { key: 'läden', value: { stringValue: 'grün' } },
  ],
  startTimeUnixNano: '1790000000000000000',
  timeUnixNano: '1790000000123456789',
  asDouble: 12.34,
}
const others: Record<string, unknown[]> = {
  attributes: [[], undefined, null, [{ key: 'n', value: { intValue: '9007199254740993' } }], [{ key: 'n' }], {}, ['x']],
  startTimeUnixNano: [undefined, '0', 5, '1790000000000000001'],
  timeUnixNano: [undefined, '1790000000123456780', '5'],
  asDouble: [
    0,
    -1,
    1e21,
    0.1,
    -0.001,
    123456789.123456,
    3,
    1e-7,
    'NaN',
    null,
    undefined,
    9007199254740992,
    0.30000000000000004,
  ],
  asInt: ['5', 7, '-12', '-0', '9007199254740993', '', undefined],
  flags: [0, 1, undefined],
  exemplars: [[], [{ asInt: '1' }], undefined],
  count: ['5', undefined],
  unknown: [1, undefined],
}

function bodyOf(next: (below: number) => number): string {
  const lists = Array.from({ length: 1 + next(3) }, () =>
    Array.from({ length: next(4) }, () => {
      const point: Record<string, unknown> = { ...usual }
      for (const [field, values] of Object.entries(others)) {
        if (next(40) === 0) point[field] = values[next(values.length)]
      }
      return point
    }),
  )
  const metrics = lists.map((dataPoints, at) => {
    const kind = next(15) === 0 ? 'histogram' : next(2) === 0 ? 'gauge' : 'sum'
    const odd = [0, 1, '0', null, {}]
    const data = { dataPoints: next(40) === 0 ? odd[next(odd.length)] : dataPoints, aggregationTemporality: 2 }
    return { name: next(40) === 0 ? '' : `m${at}`, unit: next(30) === 0 ? '"dataPoints":[' : '1', [kind]: data }
  })
  return JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] })
}

test.each([
  ['as they are', (text: string) => text, 3000],
  ['damaged', damaged, 15_000],
] as const)('points that are scanned are those that would be parsed, of bodies %s', (_, change, turns) => {
  const next = randomly(3)
  let scanned = 0
  for (let turn = 0; turn < turns; turn++) {
    const body = Buffer.from(change(bodyOf(next), next))
    const found = scanPoints(body)
    if (found === undefined) continue
    scanned++
    expect(found, body.toString()).toEqual(parsed(body))
  }
  expect(scanned).toBeGreaterThan(turns / 10)
})

test('an attribute may have the name of a list', () => {
  const attributes = [{ key: 'dataPoints', value: { stringValue: 'dataPoints' } }]
  const point = { ...usual, attributes }
  const body = Buffer.from(
    JSON.stringify({
      resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'm', gauge: { dataPoints: [point, usual] } }] }] }],
    }),
  )
  expect(scanPoints(body)).toEqual(parsed(body))
})

test('a number is not taken for a list that was read', () => {
  const gauge = (dataPoints: unknown) => ({ name: 'm', gauge: { dataPoints } })
  const bodies = [
    { resourceMetrics: [{ scopeMetrics: [{ metrics: [gauge([usual]), gauge(0)] }] }] },
    { resourceMetrics: [{ scopeMetrics: [{ metrics: [gauge([usual]), gauge('0')] }] }] },
    { resourceMetrics: [{ scopeMetrics: [{ metrics: [gauge([usual]), gauge([0])] }] }] },
  ].map(body => JSON.stringify(body))
  const escaped = bodies.map(body => body.replace('"dataPoints":0', '"dataPoint\\u0073":0'))
  for (const body of [...bodies, ...escaped]) expect(scanPoints(Buffer.from(body))).toBeUndefined()
})
