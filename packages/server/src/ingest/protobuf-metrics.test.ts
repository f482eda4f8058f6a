import { expect, test } from 'vitest'
import { randomly } from '../telemetry/testing/bodies.ts'
import * as wire from '../telemetry/testing/wire.ts'
import { readExport } from './otlp.ts'
import type { AttributeValue } from './rows.ts'

/** The field that holds each kind, and that of attributes in its points. */
const kinds = [
  [5, 7],
  [7, 7],
  [9, 9],
  [10, 1],
  [11, 7],
] as const

const media = 'application/x-protobuf'
const pool: [string, number[], AttributeValue][] = [
  ['route', wire.sized(1, '/a'), '/a'],
  ['route', wire.sized(1, '/b'), '/b'],
  ['grün', wire.sized(1, 'ä'), 'ä'],
  ['n', wire.number(3, -5n), -5],
  ['large', wire.number(3, 2n ** 60n), String(2n ** 60n)],
  ['', [], null],
]

test('attributes of points are those that were sent, however often they came before, and wherever they stand', () => {
  const next = randomly(3)
  for (let turn = 0; turn < 3000; turn++) {
    const [kind, field] = kinds[next(kinds.length)] as (typeof kinds)[number]
    const expected: AttributeValue[][] = []
    const points = Array.from({ length: 1 + next(6) }, () => {
      const attributes: AttributeValue[] = []
      expected.push(attributes)
      const parts = Array.from({ length: next(4) }, () => {
        const [key, value, read] = pool[next(pool.length)] as (typeof pool)[number]
        attributes.push(key, read)
        return wire.attribute(field, key, value)
      })
      // Something that is no attribute, before, between or behind them: of another kind's, it may look like one.
      const odd = [wire.fixed64(3, 5n), wire.attribute(15, 'route', wire.sized(1, '/a')), []][next(3)] as number[]
      parts.splice(next(parts.length + 1), 0, odd)
      return wire.sized(1, parts.flat())
    })
    const body = wire.request([[...wire.sized(1, 'm'), ...wire.sized(kind, points.flat())]], 'shop')
    const { items } = readExport('metrics', media, body)
    expect(items.map(({ attributes }) => attributes)).toEqual(expected)
  }
})

test('what stands behind the attributes of a point is never taken for more of them', () => {
  const pair = (first: number, second: number) => [
    ...wire.attribute(first, 'a', wire.sized(1, 'x')),
    ...wire.attribute(second, 'b', wire.sized(1, 'y')),
  ]
  const read = (kind: number, point: number[]) => {
    const metric = [...wire.sized(1, 'm'), ...wire.sized(kind, [...wire.sized(1, point), ...wire.sized(1, point)])]
    return readExport('metrics', media, wire.request([metric], 'shop')).items.map(({ attributes }) => attributes)
  }
  const both = ['a', 'x', 'b', 'y']
  for (let times = 0; times < 3; times++) {
    expect(read(9, pair(9, 9))).toEqual([both, both])
    // Of a gauge, field 9 is nothing that is known.
    expect(read(5, pair(7, 9))).toEqual([both.slice(0, 2), both.slice(0, 2)])
    expect(read(5, pair(7, 7))).toEqual([both, both])
  }
})

test('numbers and times are exact', () => {
  const values = [0n, 1n, -1n, 2n ** 53n - 1n, 2n ** 53n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)]
  for (const value of values) {
    const time = BigInt.asUintN(64, value)
    const point = wire.sized(1, [...wire.fixed64(3, time), ...wire.fixed64(2, time), ...wire.fixed64(6, value)])
    const metric = [...wire.sized(1, 'm'), ...wire.sized(5, point)]
    const [read] = readExport('metrics', media, wire.request([metric, metric], 'shop')).items
    const exact = Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
    expect([read?.value, read?.time, read?.start]).toEqual([exact, String(time), String(time)])
  }
})
