import { describe, expect, test } from 'vitest'
import { admit, enough, isLow, limitsOf, periodOf, quietUntil, reachedOn, resetAt, thresholdsCrossed } from './quota.ts'

describe('plans', () => {
  test.each([
    ['free', 1000, 10_000, 10_000, 1e8],
    ['pro', 10_000, 100_000, 100_000, 1e9],
    ['business', 50_000, 500_000, 500_000, 1e10],
    ['enterprise', null, null, null, null],
  ])('%s', (plan, rum_sessions, rum_events, otlp_spans, logs_bytes) => {
    expect(limitsOf(plan)).toEqual({ rum_sessions, rum_events, otlp_spans, logs_bytes, replay_bytes: null })
  })

  test('what was agreed with a team comes first, none included', () => {
    expect(limitsOf('enterprise', { otlp_spans: 5 })).toMatchObject({ otlp_spans: 5, rum_events: null })
    expect(limitsOf('free', { otlp_spans: null })).toMatchObject({ otlp_spans: null, rum_events: 10_000 })
  })
})

describe('a month is a calendar month in UTC', () => {
  test.each([
    ['2026-11-21T09:30:00Z', '2026-11', '2026-12-01T00:00:00.000Z'],
    ['2026-11-30T23:59:59.999Z', '2026-11', '2026-12-01T00:00:00.000Z'],
    ['2026-12-01T00:00:00Z', '2026-12', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29T12:00:00Z', '2028-02', '2028-03-01T00:00:00.000Z'],
  ])('%s', (time, period, reset) => {
    const at = Date.parse(time)
    expect([periodOf(at), new Date(resetAt(at)).toISOString()]).toEqual([period, reset])
  })
})

describe('what is taken in', () => {
  test.each([
    ['all that fits', [0, 10, 0, 4], [4, 0, 0]],
    ['to the last', [6, 10, 0, 4], [4, 0, 0]],
    ['no more than fits', [8, 10, 0, 4], [2, 0, 2]],
    ['nothing when full', [10, 10, 0, 4], [0, 0, 4]],
    ['nothing when over, as after another plan', [15, 10, 0, 4], [0, 0, 4]],
    ['the rest from the top-up', [8, 10, 5, 4], [4, 2, 0]],
    ['all from the top-up when full', [10, 10, 5, 4], [4, 4, 0]],
    ['what the top-up has when it is not enough', [8, 10, 1, 4], [3, 1, 1]],
    ['all from the top-up when over', [15, 10, 5, 4], [4, 4, 0]],
    ['anything without a limit, and nothing of the top-up', [1e15, null, 5, 1e9], [1e9, 0, 0]],
    ['nothing of nothing', [0, 0, 0, 1], [0, 0, 1]],
    ['nothing wanted', [0, 10, 5, 0], [0, 0, 0]],
  ] as const)('%s', (_, [used, limit, balance, wanted], [accepted, fromTopUp, rejected]) => {
    expect(admit(used, limit, balance, wanted)).toEqual({ accepted, fromTopUp, rejected })
  })
})

describe('thresholds to tell of', () => {
  test.each([
    [49, 100, 0, []],
    [50, 100, 0, [50]],
    [79, 100, 50, []],
    [80, 100, 50, [80]],
    [99, 100, 80, []],
    [100, 100, 80, [100]],
    [100, 100, 0, [50, 80, 100]],
    [100, 100, 100, []],
    [55, 100, 80, []],
    [1, 3, 0, []],
    [2, 3, 0, [50]],
    [0, 0, 0, []],
    [1e9, null, 0, []],
  ] as const)('%d of %d, %d told: %j', (used, limit, told, expected) => {
    expect(thresholdsCrossed(used, limit, told)).toEqual(expected)
  })

  test('until then it is quiet, and not one longer', () => {
    for (const limit of [1, 2, 3, 7, 99, 100, 10_000]) {
      for (const told of [0, 50, 80]) {
        const most = quietUntil(limit, told)
        expect(thresholdsCrossed(most, limit, told)).toEqual([])
        expect(thresholdsCrossed(most + 1, limit, told)).not.toEqual([])
      }
    }
    expect(quietUntil(null, 0)).toBe(Number.MAX_SAFE_INTEGER)
    expect(quietUntil(10, 100)).toBe(Number.MAX_SAFE_INTEGER)
  })
})

test('a balance is low at a tenth of the last top-up', () => {
  expect([isLow(101, 1000), isLow(100, 1000), isLow(0, 5), isLow(1, 5)]).toEqual([false, true, true, false])
  for (const amount of [1, 5, 10, 999, 1000]) {
    expect([isLow(enough(amount), amount), isLow(enough(amount) - 1, amount)]).toEqual([false, true])
  }
})

test.each([
  [0, 100, null],
  [50, null, null],
  [50, 100, '2026-11-21'],
  [10, 100, null],
  [34, 100, '2026-11-30'],
  [100, 100, '2026-11-11'],
  [0, 0, '2026-11-11'],
] as const)('%d of %j used a third into the month: used up on %j', (used, limit, day) => {
  expect(reachedOn(used, limit, Date.parse('2026-11-11T00:00:00Z'))).toBe(day)
})
