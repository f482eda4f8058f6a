import { describe, expect, test } from 'vitest'
import {
  fittingResolution,
  metricsOfChecks,
  metricsOfRollups,
  type RawCheck,
  rangeErrors,
  rangeOf,
  resolutionErrors,
} from './metrics.ts'
import { addCheck, bucketOf, emptyRollup, mergeRollups, type Rollup } from './rollup.ts'

const now = Date.parse('2026-11-21T09:30:00.000Z')
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const before = (ms: number, length = ms) => ({ from: now - ms, to: now - ms + length })

describe('the range', () => {
  test('is the last day, unless said otherwise', () => {
    expect(rangeOf({}, now)).toEqual(before(day))
    expect(rangeOf({ to: new Date(now - day).toISOString() }, now)).toEqual(before(2 * day, day))
    expect(rangeOf({ from: new Date(now - hour).toISOString() }, now)).toEqual(before(hour))
  })

  test('ends now at the latest', () => {
    expect(rangeOf({ to: '2030-01-01T00:00:00Z' }, now)).toEqual(before(day))
  })

  test.each([
    ['is the other way round', { from: now - day, to: now - 2 * day }, 'must be before to'],
    ['is empty', { from: now - day, to: now - day }, 'must be before to'],
    ['is in the future', { from: now + day, to: now }, 'must be in the past'],
    ['is too long', { from: now - 400 * day - 1, to: now }, 'must be at most 400 days before to'],
    ['is too long ago', before(402 * day, day), 'must be within the last 400 days: nothing older is kept'],
  ])('is refused where it %s', (_, range, from) => {
    expect(rangeErrors(range, now)).toEqual({ from })
  })

  test('may be as long as anything is kept', () => {
    expect(rangeErrors(before(400 * day), now)).toEqual({})
  })
})

describe('the resolution', () => {
  test.each([
    ['an hour', before(hour), 'raw'],
    ['six hours', before(6 * hour), 'raw'],
    ['a day', before(day), '5m'],
    ['a day and a half', before(1.5 * day), '5m'],
    ['two days', before(2 * day), '1h'],
    ['three weeks', before(21 * day), '1h'],
    ['a month', before(30 * day), '1d'],
    ['a year', before(365 * day), '1d'],
    ['an hour, eight days ago', before(8 * day, hour), '5m'],
    ['an hour, forty days ago', before(40 * day, hour), '1h'],
    ['an hour, a hundred days ago', before(100 * day, hour), '1d'],
  ])('for %s fits', (_, range, resolution) => {
    expect(fittingResolution(range, 60, now)).toBe(resolution)
    expect(resolutionErrors(fittingResolution(range, 60, now), range, now)).toEqual({})
  })

  test('is not raw where a monitor is checked too often for it', () => {
    expect(fittingResolution(before(2 * hour), 10, now)).toBe('5m')
  })

  test.each([
    ['raw', before(9 * day, hour), 'raw is kept for 7 days'],
    ['5m', before(31 * day, hour), '5m is kept for 30 days'],
    ['1h', before(91 * day, hour), '1h is kept for 90 days'],
    ['5m', before(7 * day), 'would give more than 2000 points'],
    ['1h', before(84 * day), 'would give more than 2000 points'],
  ] as const)('%s is refused where it cannot be given', (resolution, range, why) => {
    expect(resolutionErrors(resolution, range, now).resolution).toContain(why)
  })

  test('may be anything that is kept to the day', () => {
    expect(resolutionErrors('raw', before(7 * day), now - 5)).toEqual({})
    expect(resolutionErrors('5m', before(30 * day, hour), now)).toEqual({})
  })
})

const measured = { created_at: 0, interval_s: 60 }
const checks: RawCheck[] = [
  ...Array.from({ length: 97 }, (_, index) => ({ at: index, ms: 100 + index })),
  { at: 97, ms: 2000 },
  { at: 98, ms: 3000 },
].map(({ at, ms }) => ({ checked_at: now - 2 * hour + at * minute, status: 'online', response_time_ms: ms }))
checks.push({ checked_at: now - 2 * hour + 99 * minute, status: 'offline', response_time_ms: null })
checks.push({ checked_at: now - 2 * hour + 100 * minute, status: 'error', response_time_ms: 5 })

describe('figures', () => {
  const range = before(2 * hour)
  const rollups = [...Map.groupBy(checks, check => bucketOf(check.checked_at, '5m'))].map(([bucket, part]) =>
    part.map(check => ({ ...check, planned: false })).reduce(addCheck, emptyRollup(bucket)),
  )
  const raw = metricsOfChecks(checks, range, measured)
  const told = metricsOfRollups(rollups, '5m', range, measured)

  test('of checks are exact', () => {
    expect(raw).toMatchObject({
      uptime: 99,
      checks: 101,
      up: 99,
      down: 1,
      errors: 1,
      maintenance: 0,
      response_time_ms: { p50: 149, p95: 194, p99: 3000, min: 100, max: 3000 },
    })
    expect(raw.coverage).toBeCloseTo(83.333)
    expect(raw.series).toHaveLength(101)
  })

  test('of rollups are the same, to a percent', () => {
    const { series: _, response_time_ms: times, ...counts } = told
    const { series: _raw, response_time_ms: exact, ...rawCounts } = raw
    expect(counts).toEqual(rawCounts)
    expect(times.average).toBeCloseTo(exact.average as number, 3)
    for (const name of ['p50', 'p95', 'p99', 'min', 'max'] as const) {
      expect(Math.abs((times[name] as number) / (exact[name] as number) - 1), name).toBeLessThan(0.015)
    }
  })

  test('have a point for each stretch, seen or not', () => {
    expect(told.series).toHaveLength(24)
    expect(told.series[0]).toMatchObject({ at: '2026-11-21T07:30:00.000Z', uptime: 100, coverage: 100, checks: 5 })
    expect(told.series.at(-1)).toEqual({
      at: '2026-11-21T09:25:00.000Z',
      uptime: null,
      coverage: 0,
      average: null,
      p50: null,
      p95: null,
      p99: null,
      checks: 0,
    })
  })

  test('of parts of one bucket are those of their sum', () => {
    const halves: Rollup[] = [0, 1].map(half =>
      mergeRollups(
        7,
        rollups.filter((_, index) => index % 2 === half),
      ),
    )
    const whole = metricsOfRollups([mergeRollups(7, rollups)], '1d', { from: 7 * day, to: 8 * day }, measured)
    expect(metricsOfRollups(halves, '1d', { from: 7 * day, to: 8 * day }, measured)).toEqual(whole)
  })

  test('of nothing are unknown, not down', () => {
    for (const none of [metricsOfChecks([], range, measured), metricsOfRollups([], '5m', range, measured)]) {
      expect(none).toMatchObject({ uptime: null, coverage: 0, checks: 0 })
      expect(new Set(Object.values(none.response_time_ms))).toEqual(new Set([null]))
    }
  })

  test('a stretch that goes on is covered as far as it went', () => {
    const [half] = metricsOfRollups([], '1h', { from: now - 30 * minute, to: now }, measured).series
    expect(half?.coverage).toBe(0)
    const seen = { ...emptyRollup(bucketOf(now, '1h')), up: 30 }
    expect(metricsOfRollups([seen], '1h', { from: now - 30 * minute, to: now }, measured).coverage).toBe(100)
  })

  test('a check that its probe could not make watched nothing', () => {
    expect(raw.series.at(-1)).toMatchObject({ uptime: null, coverage: 0, average: null, checks: 1 })
  })
})
