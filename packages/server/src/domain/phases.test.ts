import { expect, test } from 'vitest'
import { keepsPhases, keptPhases } from './phases.ts'

const at = 1_800_000_000_000

test('one success in five minutes keeps its phases, whatever the interval', () => {
  const kept = (interval_s: number, status = 'online') => {
    const due = Array.from({ length: 3600 / interval_s }, (_, index) => at + 7000 + index * interval_s * 1000)
    return due.filter(due_at => keepsPhases({ status, due_at }, interval_s)).length
  }
  expect([10, 30, 60, 100, 300].map(interval => kept(interval))).toEqual([12, 12, 12, 12, 12])
  expect([600, 3600].map(interval => kept(interval))).toEqual([6, 1])
  expect(kept(60, 'offline')).toBe(0)
})

test('phases are kept to a tenth of a millisecond; one that did not happen is not there', () => {
  expect(keptPhases({ resolve_ms: 0.04, first_byte_ms: 81.26 })).toEqual({ resolve_ms: 0, first_byte_ms: 81.3 })
  expect(keptPhases({})).toBeUndefined()
  expect(keptPhases(undefined)).toBeUndefined()
})
