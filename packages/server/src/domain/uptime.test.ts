import { describe, expect, test } from 'vitest'
import { coverage, dailyHistory, dayMs, historyStart, uptime } from './uptime.ts'

const now = Date.parse('2026-11-21T09:30:00Z')
const today = Date.parse('2026-11-21T00:00:00Z')

test('nobody looked is not zero percent', () => {
  expect(uptime(0, 0)).toBeNull()
  expect(uptime(0, 5)).toBe(0)
  expect(uptime(2, 1)).toBe(66.667)
})

test('one failure among very many still shows', () => {
  expect(uptime(99_999, 1)).toBe(99.999)
})

test('history has one point a day, oldest first, today last', () => {
  const days = dailyHistory([{ bucket_at: today, up: 3, down: 1 }], 30, now)
  expect(days).toHaveLength(30)
  expect(days[0]).toEqual({ date: '2026-10-23', uptime: null, hasData: false })
  expect(days.at(-1)).toEqual({ date: '2026-11-21', uptime: 75, hasData: true })
})

test('several monitors are weighted by their checks', () => {
  const buckets = [
    { bucket_at: today - dayMs, up: 90, down: 0 },
    { bucket_at: today - dayMs, up: 0, down: 10 },
  ]
  expect(dailyHistory(buckets, 30, now).at(-2)?.uptime).toBe(90)
})

test('the first day of 30 is 29 days before today', () => {
  expect(historyStart(30, now)).toBe(today - 29 * dayMs)
})

describe('coverage', () => {
  const monitor = { created_at: 0, interval_s: 60 }

  test('is the share of the checks that could have been', () => {
    expect(coverage(720, now - dayMs, monitor, now)).toBe(50)
    expect(coverage(0, now - dayMs, monitor, now)).toBe(0)
  })

  test('asks a young monitor only about its life', () => {
    expect(coverage(30, now - dayMs, { ...monitor, created_at: now - 3_600_000 }, now)).toBe(50)
  })

  test('is never more than all, though confirmations come in between', () => {
    expect(coverage(2000, now - dayMs, monitor, now)).toBe(100)
    expect(coverage(1, now, { ...monitor, created_at: now }, now)).toBe(100)
  })
})
