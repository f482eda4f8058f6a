import { expect, test } from 'vitest'
import { forecast } from './forecast.ts'

const at = (time: string) => Date.parse(time)

test('half of the month gone, half of it used', () => {
  expect(forecast({ used: 500 }, '2026-11', at('2026-11-16T00:00:00Z'))).toBe(1000)
})

test('a month that is over is what it was', () => {
  expect(forecast({ used: 500 }, '2026-10', at('2026-11-16T00:00:00Z'))).toBe(500)
})

test('the first minute is not multiplied by forty thousand', () => {
  expect(forecast({ used: 1 }, '2026-11', at('2026-11-01T00:01:00Z'))).toBe(720)
})
