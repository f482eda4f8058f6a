import { expect, test } from 'vitest'
import { Format } from './format.ts'

const format = new Format('en-GB')

test.each([
  [100, '100%'],
  [99.999, '99.99%'],
  [99.98, '99.98%'],
  [97.5, '97.50%'],
  [0, '0.00%'],
])('%s is written %s: never rounded up to what it is not', (value, text) => {
  expect(format.percent(value)).toBe(text)
})

test.each([
  [0.42, '0.4 ms'],
  [182.4, '182 ms'],
  [9_999, '9,999 ms'],
  [12_345, '12.3s'],
])('%s milliseconds are written %s', (value, text) => {
  expect(format.duration(value)).toBe(text)
})

test('days and times are those of UTC', () => {
  expect(format.day('2026-11-21')).toBe('21 Nov 2026')
  expect(format.time('2026-11-21T23:59:30.000Z')).toBe('21 Nov 2026, 23:59 UTC')
  expect(format.time('soon')).toBeUndefined()
})

test('a stretch of days is one range', () => {
  expect(format.days('2026-11-03', '2026-11-07')).toMatch(/^3\s?–\s?7 Nov 2026$/)
  expect(format.days('2026-11-03', '2026-11-03')).toBe('3 Nov 2026')
})

test('the day of an end is said where it is another than that of the beginning', () => {
  expect(format.timeAfter('2026-11-21T09:00:00.000Z', '2026-11-21T23:59:30.000Z')).toBe('23:59 UTC')
  expect(format.timeAfter('2026-11-21T09:00:00.000Z', '2026-11-22T00:00:00.000Z')).toBe('22 Nov 2026, 00:00 UTC')
  expect(format.timeAfter('soon', 'soon')).toBeUndefined()
})
