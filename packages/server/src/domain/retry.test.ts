import { expect, test } from 'vitest'
import { nextAttemptAt } from './retry.ts'

test('the first pauses are short, a receiver that restarts gets its alert within seconds', () => {
  expect(nextAttemptAt(1, 0, 0)).toBe(5000)
  expect(nextAttemptAt(2, 0, 0)).toBe(10_000)
})

test('the pauses grow, and after about three days it ends', () => {
  const pauses: number[] = []
  for (let attempts = 1; ; attempts++) {
    const at = nextAttemptAt(attempts, 0, 0)
    if (at === null) break
    pauses.push(at)
  }
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  expect(pauses.reduce((sum, pause) => sum + pause) / 3_600_000).toBeCloseTo(75.7, 1)
})

test('Retry-After lengthens a pause and cannot shorten it', () => {
  expect(nextAttemptAt(1, 0, 0, 60)).toBe(60_000)
  expect(nextAttemptAt(5, 0, 0, 1)).toBe(60_000)
})

test('chance adds up to a tenth', () => {
  expect(nextAttemptAt(1, 0, 1)).toBe(5500)
})
