import { silentAfterMs } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { isSilent, isWatched } from './silence.ts'

test.each([
  [10, 5, 50],
  [60, 10, 180],
  [60, 59, 208],
  [3600, 10, 10_800],
])('every %i s with a timeout of %i s: nobody watches after %i s', (interval_s, timeout_s, seconds) => {
  expect(silentAfterMs(interval_s, timeout_s)).toBe(seconds * 1000)
  const row = { interval_s, timeout_s, last_check_at: 5 }
  expect([isSilent(row, 4 + seconds * 1000), isSilent(row, 5 + seconds * 1000)]).toEqual([false, true])
})

test('what nobody has ever looked at is pending, not silent', () => {
  expect(isSilent({ interval_s: 10, timeout_s: 5, last_check_at: null }, Number.MAX_SAFE_INTEGER)).toBe(false)
})

test.each([
  ['online', 5, true],
  ['offline', 5, true],
  ['paused', 5, false],
  ['pending', null, false],
])('%s and checked at %s: watched is %s, until it falls silent', (status, last_check_at, watched) => {
  const row = { interval_s: 60, timeout_s: 10, status, last_check_at }
  expect([isWatched(row, 180_004), isWatched(row, 180_005)]).toEqual([watched, false])
})
