import { expect, test } from 'vitest'
import { isSilent, silentAfterMs } from './silence.ts'

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
