import { expect, test } from 'vitest'
import { legendOf, type Seen, seenOf, sparkline } from './sparkline.ts'

test.each<[Seen[], string]>([
  [[], ''],
  [[5], '▄'],
  [[5, 5, 5], '▄▄▄'],
  [[0, 50, 100], '▁▅█'],
  [[1, null, 8], '▁×█'],
  [[null], '×'],
  [['untimed', null, 'untimed', 2], '·×·▄'],
])('%j', (values, line) => {
  expect(sparkline(values)).toBe(line)
})

test.each([
  ['online', 5, 5],
  ['online', null, 'untimed'],
  ['offline', 5, null],
  ['pending', null, null],
])('%s with a time of %j', (status, response_time_ms, seen) => {
  expect(seenOf({ status, response_time_ms })).toBe(seen)
})

test.each<[Seen[], string]>([
  [[], 'No checks yet'],
  [[null, null], 'Last 2 checks: none succeeded'],
  [['untimed', 'untimed'], 'Last 2 checks: · succeeded, × failed'],
  [[3, null, 'untimed', 9], 'Response time of the last 4 checks: 3 to 9, × failed'],
])('the legend of %j', (values, line) => {
  expect(legendOf(values, String)).toBe(line)
})
