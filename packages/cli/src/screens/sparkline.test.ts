import { expect, test } from 'vitest'
import { sparkline } from './sparkline.ts'

test.each([
  [[], ''],
  [[5], '▄'],
  [[5, 5, 5], '▄▄▄'],
  [[0, 50, 100], '▁▅█'],
  [[1, null, 8], '▁×█'],
  [[null], '×'],
])('%j', (values, line) => {
  expect(sparkline(values)).toBe(line)
})
