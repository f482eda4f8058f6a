import { describe, expect, test } from 'vitest'
import type { Distribution } from '../ingest/rows.ts'
import { distributionSince, mergeDistributions } from './distributions.ts'
import type { Sample } from './points.ts'
import { quantileOf } from './quantile.ts'
import { pointsOf } from './stat.ts'
import { about } from './testing/about.ts'

/** Every ten seconds; none where nothing was recorded. */
const samples = (...values: (number | null)[]): Sample[] =>
  values.map((value, at) => ({ at: at * 10_000, value: value ?? Number.NaN, extra: undefined }))
const of = (stepMs: number, stat?: 'rate' | 'count' | 'avg' | 'p50' | 'p99' | 'sum' | 'max') => ({
  from: 0,
  to: 1e6,
  stepMs,
  stat,
})

describe('how fast a counter grows', () => {
  test('it may begin anew within a step, and grow beyond what it was before', () => {
    // 100 more, then anew up to 30, anew again up to 500: of those thirty seconds all is counted.
    const points = pointsOf(about({}), samples(0, 100, 200, 300, 30, 500, 520, 540, 560), of(30_000, 'rate'))
    expect(points).toEqual([
      [0, 200 / 20],
      [30_000, (100 + 30 + 470) / 30],
      [60_000, 60 / 30],
    ])
  })

  test('what is no counter may shrink', () => {
    for (const type of ['sum', 'gauge'] as const) {
      const points = pointsOf(about({ type, monotonic: false }), samples(10, 8, 9), of(10_000, 'rate'))
      expect(points).toEqual([
        [10_000, -0.2],
        [20_000, 0.1],
      ])
    }
  })

  test('where nothing was recorded it has not begun anew', () => {
    const points = pointsOf(about({}), samples(100, 110, null, 130), of(10_000, 'rate'))
    expect(points).toEqual([
      [10_000, 1],
      [30_000, 1],
    ])
  })

  test('of many samples the most is found', () => {
    const many = Array.from({ length: 300_000 }, (_, at) => ({ at, value: at % 1000, extra: undefined }))
    expect(pointsOf(about({ type: 'gauge' }), many, of(1e13, 'max'))).toEqual([[0, 999]])
  })
})

const histogram = (counts: number[], sum: number): Distribution => ({
  count: counts.reduce((all, count) => all + count, 0),
  sum,
  min: 1,
  max: 1000,
  bounds: [10, 100],
  counts,
})
const told = (distributions: Distribution[]): Sample[] =>
  distributions.map((distribution, at) => ({ at: at * 10_000, value: Number.NaN, extra: { distribution } }))

describe('histograms', () => {
  const all = told([histogram([1000, 0, 0], 5000), histogram([1000, 10, 0], 5500), histogram([2, 0, 0], 10)])

  test('of one that is counted on and on a step shows what was added in it', () => {
    const step = (stat?: 'avg' | 'sum' | 'p50') => pointsOf(about({ type: 'histogram' }), all, of(10_000, stat))
    expect(step().map(([, value]) => value)).toEqual([5, 50, 5])
    expect(step('sum').map(([, value]) => value)).toEqual([5000, 500, 10])
    expect(step('p50')[1]?.[1]).toBe(55)
    expect(pointsOf(about({ type: 'histogram' }), all, of(10_000, 'count'))).toEqual([
      [10_000, 10],
      [20_000, 2],
    ])
  })

  test('the first step shows what was added in it, not what there was since the process began', () => {
    const long = told([histogram([100_000, 0, 0], 200_000), histogram([100_001, 0, 0], 200_002)])
    const sum = pointsOf(about({ type: 'histogram' }), long, of(60_000, 'sum'))
    expect(sum).toEqual([[0, 2]])
  })

  test('as they were sent they are what was sent', () => {
    const points = pointsOf(about({ type: 'histogram' }), all, of(0))
    expect(points.map(([, value]) => value)).toEqual([5, 5500 / 1010, 5])
  })

  test('exponential ones of different scales are added up, and taken apart again', () => {
    const exponential = (scale: number, values: number[]): Distribution => {
      const places = values.map(value => Math.ceil(Math.log2(value) * 2 ** scale) - 1)
      const offset = Math.min(...places)
      const counts = Array.from({ length: Math.max(...places) - offset + 1 }, () => 0)
      for (const place of places) counts[place - offset] = (counts[place - offset] as number) + 1
      const sum = values.reduce((all, value) => all + value, 0)
      const edges = { min: Math.min(...values), max: Math.max(...values) }
      const positive = { offset, counts }
      return { count: values.length, sum, ...edges, scale, zeroCount: 1, positive, negative: { offset: 0, counts: [] } }
    }
    const few = Array.from({ length: 50 }, (_, at) => 1.1 + at)
    const many = Array.from({ length: 100 }, (_, at) => 0.3 + at * 20)
    const [a, b] = [exponential(5, few), exponential(2, many)]
    const both = mergeDistributions(a, b)
    expect(both).toMatchObject({ count: 150, scale: 2, zeroCount: 2, min: 0.3, max: 1980.3 })
    const direct = exponential(2, [...few, ...many])
    expect(both.positive).toEqual(direct.positive)
    const since = distributionSince(exponential(2, few), { ...direct, count: 151, zeroCount: 2 })
    expect(quantileOf({ ...since, zeroCount: 0 }, 0.5)).toBeCloseTo(
      quantileOf({ ...b, zeroCount: 0 }, 0.5) as number,
      5,
    )
    // Beyond all bounds the later holds.
    const far = { ...b, positive: { offset: 2e9, counts: [1] } }
    expect(mergeDistributions(a, far)).toBe(far)
    expect(mergeDistributions(a, { ...b, scale: -2e9 })).toMatchObject({ scale: -2e9 })
  })
})
