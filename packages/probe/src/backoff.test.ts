import { expect, it } from 'vitest'
import { backoffMs, isNewStep } from './backoff.ts'

const backoff = { firstMs: 1000, longestMs: 8000 }

it('doubles up to the longest wait, less a jitter of up to a half', () => {
  const waits = [1, 2, 3, 4, 5, 1000].map(failures => backoffMs(failures, backoff, () => 1))
  expect(waits).toEqual([1000, 2000, 4000, 8000, 8000, 8000])
  expect(backoffMs(2, backoff, () => 0)).toBe(1000)
})

it('has something new to say at each longer wait, and no more after the longest', () => {
  expect([1, 2, 3, 4, 5, 50].map(failures => isNewStep(failures, backoff))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ])
})
