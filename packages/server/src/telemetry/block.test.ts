import { expect, test } from 'vitest'
import { msOf, wholeMsOf } from './block.ts'
import { isoOf } from './read-trace.ts'
import { msFrom } from './scan-bytes.ts'
import { randomly } from './testing/bodies.ts'

test('a time in nanoseconds is of its own millisecond', () => {
  const next = randomly(31)
  for (let turn = 0; turn < 5000; turn++) {
    const ms = 1_790_000_000_000 + turn * 37
    expect(msOf(`${ms}000000`)).toBe(ms)
    expect(isoOf(`${ms}000000`)).toBe(new Date(ms).toISOString())
    expect(isoOf(`${ms}999999`)).toBe(new Date(ms).toISOString())
    const nanos = `${ms}${String(next(1_000_000)).padStart(6, '0')}`
    expect(wholeMsOf(nanos)).toBe(ms)
    expect(Math.abs(msOf(nanos) - ms - Number(nanos.slice(-6)) / 1e6)).toBeLessThan(0.0003)
    expect(msFrom(Number(nanos.slice(0, -9)), Number(nanos.slice(-9)))).toBe(msOf(nanos))
  }
  expect([msOf('0'), msOf('5'), wholeMsOf('5'), msOf('1234567'), wholeMsOf('1234567')]).toEqual([
    0, 5e-6, 0, 1.234567, 1,
  ])
  expect(isoOf('99999999999999999999')).toMatch(/^\d|\+/)
})
