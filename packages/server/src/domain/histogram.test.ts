import { describe, expect, test } from 'vitest'
import {
  addTime,
  decodeHistogram,
  emptyHistogram,
  encodeHistogram,
  type Histogram,
  mergeHistograms,
  percentiles,
} from './histogram.ts'
import { BadBytesError } from './varint.ts'

/** The same numbers in every run. */
function randoms(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 0.5) / 2 ** 32
  }
}

const histogramOf = (timesMs: readonly number[]): Histogram =>
  timesMs.reduce((histogram, ms) => addTime(histogram, Math.round(ms * 1000)), emptyHistogram)

const exact = (timesMs: readonly number[], share: number) =>
  [...timesMs].sort((a, b) => a - b)[Math.max(1, Math.ceil(share * timesMs.length)) - 1] as number

const distributions: Record<string, (random: () => number) => number> = {
  'evenly spread': random => 1 + random() * 999,
  'with a long tail': random => 20 * random() ** -0.8,
  'of two kinds': random => (random() < 0.8 ? 12 + random() : 800 + 100 * random()),
  'all alike': () => 42.4,
  'below a millisecond': random => 0.05 + random() * 0.5,
  'up to an hour': random => 3_600_000 * random(),
}

describe.each(Object.entries(distributions))('percentiles of times %s', (_, draw) => {
  const random = randoms(7)
  const times = Array.from({ length: 4000 }, () => Math.min(3_600_000, draw(random)))
  const shares = [0, 0.01, 0.5, 0.95, 0.99, 1]

  test('are within 1.5 percent of the exact ones', () => {
    const read = percentiles(histogramOf(times), shares)
    for (const [index, share] of shares.entries()) {
      const right = exact(times, share)
      expect(Math.abs((read[index] as number) - right) / right, `share ${share}`).toBeLessThan(0.015)
    }
  })

  test('are the same after a round trip', () => {
    const histogram = histogramOf(times)
    expect(decodeHistogram(encodeHistogram(histogram))).toEqual(histogram)
  })
})

test('the percentiles of nothing are unknown', () => {
  expect(percentiles(emptyHistogram, [0.5, 0.99])).toEqual([null, null])
})

test('a percentile is a time that was seen, not one between two', () => {
  const [median] = percentiles(histogramOf([10, 10, 1000]), [0.5])
  expect(median).toBeGreaterThan(9.9)
  expect(median).toBeLessThan(10.1)
})

test('merging is adding all, in any order and grouping', () => {
  const random = randoms(3)
  const parts = Array.from({ length: 6 }, () => Array.from({ length: 50 }, () => 500 * random() ** 3))
  const [a, b, c, ...others] = parts.map(histogramOf) as [Histogram, Histogram, Histogram, ...Histogram[]]
  const all = histogramOf(parts.flat())
  expect(mergeHistograms([a, b, c, ...others])).toEqual(all)
  expect(mergeHistograms([...others, mergeHistograms([c, a]), b])).toEqual(all)
})

test('adding changes nothing that was there before', () => {
  const before = histogramOf([5])
  addTime(before, 5000)
  expect(before).toEqual(histogramOf([5]))
})

test('five checks take few bytes, a thousand not many', () => {
  expect(encodeHistogram(histogramOf([81, 84, 90, 92, 130])).length).toBeLessThanOrEqual(15)
  const random = randoms(5)
  const day = histogramOf(Array.from({ length: 1440 }, () => 80 + 40 * random()))
  expect(encodeHistogram(day).length).toBeLessThan(60)
})

test('times beyond what a probe may report are counted at the ends', () => {
  expect(percentiles(histogramOf([0, 1e9]), [0, 1])).toEqual([0.001, expect.closeTo(3_600_000, -5)])
})

test.each([
  ['nothing', []],
  ['another format', [2, 10]],
  ['a number cut off', [1, 0x80]],
  ['a count cut off', [1, 11]],
  ['a count of one, which is not written', [1, 11, 1]],
  ['the same class twice', [1, 10, 0]],
  ['a class beyond an hour', [1, 0xff, 0xff, 0x7f]],
  ['a number beyond all', [1, ...new Array(9).fill(0xff), 1]],
])('refuses %s', (_, bytes) => {
  expect(() => decodeHistogram(Uint8Array.from(bytes))).toThrow(BadBytesError)
})
