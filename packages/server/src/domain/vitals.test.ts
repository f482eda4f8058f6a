import { expect, test } from 'vitest'
import { percentiles, ratings } from './vitals.ts'

test('percentiles are values that were seen, by nearest rank', () => {
  const spread = new Map([
    [30, 1],
    [10, 5],
    [20, 4],
  ])
  expect(percentiles(spread, [0, 0.5, 0.51, 0.75, 0.9, 0.91, 1])).toEqual([10, 10, 20, 20, 20, 30, 30])
  expect(percentiles(new Map([[7, 1]]), [0.5, 0.95])).toEqual([7, 7])
  expect(percentiles(new Map(), [0.5])).toBeUndefined()
})

test('the limits themselves are the better of two', () => {
  const spread = new Map([2500, 2500.1, 4000, 4000.1].map(value => [value, 1]))
  expect(ratings('LCP', spread)).toEqual({ good: 0.25, needs_improvement: 0.5, poor: 0.25 })
  expect(ratings('CLS', new Map([[0.1, 3]]))).toEqual({ good: 1, needs_improvement: 0, poor: 0 })
})
