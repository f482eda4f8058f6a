import { describe, expect, test } from 'vitest'
import { countDays, coverage, dailyHistory, datesFrom, dayMs, firstDay, sumDays, uptime } from './uptime.ts'

const now = Date.parse('2026-11-21T09:30:00Z')
const today = Date.parse('2026-11-21T00:00:00Z') / dayMs

test('nobody looked is not zero percent', () => {
  expect(uptime(0, 0)).toBeNull()
  expect(uptime(0, 5)).toBe(0)
  expect(uptime(2, 1)).toBe(66.667)
})

test('one failure among very many still shows', () => {
  expect(uptime(99_999, 1)).toBe(99.999)
})

describe('daily history', () => {
  const first = firstDay(30, now)
  const dates = datesFrom(first, 30)

  test('has one point a day, oldest first, today last', () => {
    const days = dailyHistory(countDays(`${today},3,1`, first, 30), dates)
    expect(days).toHaveLength(30)
    expect(days[0]).toEqual({ date: '2026-10-23', uptime: null, hasData: false })
    expect(days.at(-1)).toEqual({ date: '2026-11-21', uptime: 75, hasData: true })
  })

  test('adds up what is known of a day in pieces, and passes over other days', () => {
    const pieces = `${today},3,1,${first - 1},9,9,${today},1,1,${today + 1},9,9`
    const days = dailyHistory(countDays(pieces, first, 30), dates)
    expect(days.at(-1)?.uptime).toBe(66.667)
    expect(days.filter(day => day.hasData)).toHaveLength(1)
  })

  test('of several monitors is weighted by their checks', () => {
    const all = [`${today - 1},90,0`, `${today - 1},0,10`, ''].map(text => countDays(text, first, 30))
    expect(dailyHistory(sumDays(all, 30), dates).at(-2)?.uptime).toBe(90)
  })
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
