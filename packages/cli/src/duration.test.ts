import { expect, test } from 'vitest'
import { parseDuration, sayDuration } from './duration.ts'

test.each([
  ['500ms', 500],
  ['10s', 10_000],
  ['10', 10_000],
  ['1.5s', 1500],
  ['1m', 60_000],
  ['1h', 3_600_000],
  [' 2 s ', 2000],
])('%j is %d ms', (text, ms) => {
  expect(parseDuration(text, '--x')).toBe(ms)
})

test.each(['', '0', '-1s', '10d', 'ten', '1e3', '9999h'])('%j is no time, and the flag is named', text => {
  expect(() => parseDuration(text, '--request-timeout')).toThrow(/^--request-timeout: must be a time/)
})

test.each([
  [250, '250 ms'],
  [12_400, '12 s'],
  [150_000, '3 min'],
  [7_200_000, '2 h'],
  [200_000_000, '2 d'],
])('%d ms is said as %s', (ms, said) => {
  expect(sayDuration(ms)).toBe(said)
})
