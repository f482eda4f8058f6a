import { expect, test } from 'vitest'
import type { Point } from '../ingest/rows.ts'
import { KnownSeries, seriesId } from './known-series.ts'

const origin = (service: string, name = '', version = ''): Point['metric']['origin'] => ({
  resource: { service, attributes: ['service.name', service], schemaUrl: '', dropped: 0 },
  scope: { name, version, attributes: [], schemaUrl: '', dropped: 0 },
})

const metric: Point['metric'] = {
  origin: origin('shop'),
  name: 'queue',
  description: '',
  unit: '1',
  type: 'gauge',
  temporality: 0,
  monotonic: false,
}

const point = (attributes: Point['attributes'], more: Partial<Point['metric']> = {}): Point => ({
  metric: { ...metric, ...more },
  attributes,
  start: '0',
  time: '1',
  flags: 0,
  value: 1,
  distribution: null,
  exemplars: [],
})

const different = [
  point(['host', 'a']),
  point(['host', 'b']),
  point([]),
  point(['n', 1]),
  point(['n', '1']),
  point(['a', 'b', 'c', 'd']),
  point(['a', 'b","c', 'd']),
  point(['host', 'a'], { name: 'other' }),
  point(['host', 'a'], { unit: 's' }),
  point(['host', 'a'], { origin: origin('cart') }),
  point(['host', 'a'], { origin: origin('shop', 'lib') }),
  point(['host', 'a'], { origin: origin('shop', 'lib', '2') }),
]

test('a series is found by all that makes it one, in each app', () => {
  const known = new KnownSeries()
  for (const app of [1, 2]) {
    for (const each of different) {
      expect(known.find(app, { ...each, metric: { ...each.metric } })).toBeUndefined()
      known.add(app, { ...each, metric: { ...each.metric } }, seriesId(app, each))
    }
  }
  const shared = different.map(each => ({ ...each, attributes: Object.freeze([...each.attributes]) as string[] }))
  for (const each of [...shared, ...shared]) expect(known.find(2, each)).toBe(seriesId(2, each))
  const ids = [1, 2].flatMap(app => different.map(each => known.find(app, { ...each, metric: { ...each.metric } })))
  expect(ids).toEqual([1, 2].flatMap(app => different.map(each => seriesId(app, each))))
  expect(new Set(ids).size).toBe(ids.length)
})

test('what is remembered is bounded, and what was forgotten is learned again', () => {
  const known = new KnownSeries()
  const first = point(['host', 'a'])
  known.add(1, first, 7)
  for (let at = 0; at < 90; at++) known.add(1, point([`${at}`, 'x'.repeat(100_000)], first.metric), at)
  expect(known.find(1, first)).toBeUndefined()
  known.add(1, first, 7)
  expect(known.find(1, first)).toBe(7)
})
