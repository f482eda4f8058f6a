import { expect, test } from 'vitest'
import { common, joined } from './series.ts'

const more = {
  resource: {},
  scope: { name: '', version: '', attributes: {} },
  temporality: 'cumulative',
  monotonic: false,
  distributions: [],
  exemplars: [],
}
const series = [
  {
    attributes: { route: '/a', 'service.name': 'web' },
    points: [[1000, 1] as (number | null)[], [3000, 3]],
    ...more,
  },
  {
    attributes: { route: '/b', 'service.name': 'web' },
    points: [
      [2000, null],
      [3000, 4],
    ] as (number | null)[][],
    ...more,
  },
]

test('series share their times, and are called by what tells them apart', () => {
  expect(joined(series)).toEqual({
    times: [1, 2, 3],
    lines: [
      { label: '/a', values: [1, null, 3] },
      { label: '/b', values: [null, null, 4] },
    ],
  })
  expect(common(series)).toEqual({ 'service.name': 'web' })
})

test('nothing is nothing', () => {
  expect(joined([])).toEqual({ times: [], lines: [] })
})
