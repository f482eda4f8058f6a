import { describe, expect, test } from 'vitest'
import { nextOccurrence, occurrenceAt, type Rule, shortestGapDays, type Timing } from './recurrence.ts'

const at = (iso: string) => Date.parse(iso)

const rule = (change: Partial<Rule>): Rule => ({
  frequency: 'daily',
  interval: 1,
  weekdays: null,
  day_of_month: null,
  until: null,
  ...change,
})
/** An hour long, in Berlin. */
const timing = (starts: string, recurrence: Partial<Rule> | null, change: Partial<Timing> = {}): Timing => ({
  starts_at: at(starts),
  ends_at: at(starts) + 3_600_000,
  time_zone: 'Europe/Berlin',
  recurrence: recurrence === null ? null : rule(recurrence),
  ...change,
})

/** Starts of the next ones, as Berlin's clocks show them. */
function starts(of: Timing, after: string, count: number): string[] {
  const found: string[] = []
  let moment = after === 'ever' ? Number.NEGATIVE_INFINITY : at(after)
  for (let n = 0; n < count; n++) {
    const next = nextOccurrence(of, moment)
    if (next === null) break
    expect(next.ends_at - next.starts_at).toBe(of.ends_at - of.starts_at)
    found.push(new Date(next.starts_at).toLocaleString('sv', { timeZone: of.time_zone }).slice(0, 16))
    moment = next.starts_at
  }
  return found
}

describe('the next occurrences', () => {
  test.each<[string, Timing, string, string[]]>([
    ['once', timing('2026-06-01T10:00:00Z', null), 'ever', ['2026-06-01 12:00']],
    ['once, after it', timing('2026-06-01T10:00:00Z', null), '2026-06-01T10:00:00Z', []],
    [
      'daily keeps to the clock over the change to summer; 02:30 is 03:30 on the day that has none',
      timing('2026-03-27T01:30:00Z', {}),
      'ever',
      ['2026-03-27 02:30', '2026-03-28 02:30', '2026-03-29 03:30', '2026-03-30 02:30'],
    ],
    [
      'daily keeps to the clock over the change to winter, and comes once on the day of 25 hours',
      timing('2026-10-24T00:30:00Z', {}),
      'ever',
      ['2026-10-24 02:30', '2026-10-25 02:30', '2026-10-26 02:30'],
    ],
    [
      'one whose first is at the second 02:30 of that day comes again at 02:30',
      timing('2026-10-25T01:30:00Z', {}),
      'ever',
      ['2026-10-25 02:30', '2026-10-26 02:30'],
    ],
    [
      'every third day',
      timing('2026-12-30T10:00:00Z', { interval: 3 }),
      'ever',
      ['2026-12-30 11:00', '2027-01-02 11:00', '2027-01-05 11:00'],
    ],
    [
      'weekly on two days, from a day that is none of them',
      timing('2026-11-21T10:00:00Z', { frequency: 'weekly', weekdays: ['thursday', 'monday'] }),
      'ever',
      ['2026-11-23 11:00', '2026-11-26 11:00', '2026-11-30 11:00'],
    ],
    [
      'every two weeks, counted in weeks from Monday on',
      timing('2026-11-20T10:00:00Z', { frequency: 'weekly', interval: 2, weekdays: ['monday', 'friday'] }),
      'ever',
      ['2026-11-20 11:00', '2026-11-30 11:00', '2026-12-04 11:00', '2026-12-14 11:00'],
    ],
    [
      'the weekday is that of the place, not of Greenwich',
      timing('2026-11-22T23:30:00Z', { frequency: 'weekly', weekdays: ['monday'] }),
      'ever',
      ['2026-11-23 00:30', '2026-11-30 00:30'],
    ],
    [
      'monthly on the 31st is the last day of every month, of a leap year too',
      timing('2028-01-31T10:00:00Z', { frequency: 'monthly', day_of_month: 31 }),
      'ever',
      ['2028-01-31 11:00', '2028-02-29 11:00', '2028-03-31 11:00', '2028-04-30 11:00'],
    ],
    [
      'monthly on the 29th in February of a year without one',
      timing('2027-01-29T10:00:00Z', { frequency: 'monthly', day_of_month: 29 }),
      'ever',
      ['2027-01-29 11:00', '2027-02-28 11:00', '2027-03-29 11:00'],
    ],
    [
      'every twelve months from 29 February',
      timing('2028-02-29T10:00:00Z', { frequency: 'monthly', interval: 12, day_of_month: 29 }),
      'ever',
      ['2028-02-29 11:00', '2029-02-28 11:00', '2030-02-28 11:00', '2031-02-28 11:00', '2032-02-29 11:00'],
    ],
    [
      'every 52 months',
      timing('2026-01-05T10:00:00Z', { frequency: 'monthly', interval: 52, day_of_month: 5 }),
      '2026-01-05T10:00:00Z',
      ['2030-05-05 11:00', '2034-09-05 11:00'],
    ],
    [
      'until, its own moment included',
      timing('2026-06-01T10:00:00Z', { until: at('2026-06-03T10:00:00Z') }),
      '2026-06-01T10:00:00Z',
      ['2026-06-02 12:00', '2026-06-03 12:00'],
    ],
    ['until before the first', timing('2026-06-01T10:00:00Z', { until: at('2026-05-01T10:00:00Z') }), 'ever', []],
    [
      'years later',
      timing('2026-06-01T10:00:00Z', { frequency: 'weekly', weekdays: ['monday'] }),
      '2046-06-01T00:00:00Z',
      ['2046-06-04 12:00'],
    ],
  ])('%s', (_, of, after, expected) => {
    const found = starts(of, after, expected.length + 1)
    const ends = of.recurrence === null || of.recurrence.until !== null
    expect(ends ? found : found.slice(0, expected.length)).toEqual(expected)
  })
})

describe('the one that runs', () => {
  const daily = timing('2026-03-27T01:30:00Z', {})
  test.each<[string, Timing, string, string | null]>([
    ['not before', daily, '2026-03-27T01:29:59.999Z', null],
    ['from its start', daily, '2026-03-27T01:30:00Z', '2026-03-27T01:30:00Z'],
    ['until before its end', daily, '2026-03-27T02:29:59.999Z', '2026-03-27T01:30:00Z'],
    ['not at its end', daily, '2026-03-27T02:30:00Z', null],
    ['on the short day at 03:45', daily, '2026-03-29T01:45:00Z', '2026-03-29T01:30:00Z'],
    ['the day after at 02:45', daily, '2026-03-30T00:45:00Z', '2026-03-30T00:30:00Z'],
    [
      'over midnight',
      timing('2026-06-01T21:30:00Z', { frequency: 'weekly', weekdays: ['monday'] }),
      '2026-06-08T22:15:00Z',
      '2026-06-08T21:30:00Z',
    ],
    [
      'for days',
      timing(
        '2026-01-01T00:00:00Z',
        { frequency: 'monthly', day_of_month: 1 },
        { ends_at: at('2026-01-21T00:00:00Z') },
      ),
      '2026-04-20T22:00:00Z',
      '2026-03-31T23:00:00Z',
    ],
    [
      'not what until keeps out',
      timing('2026-06-01T10:00:00Z', { until: at('2026-06-02T00:00:00Z') }),
      '2026-06-02T10:30:00Z',
      null,
    ],
    ['once', timing('2026-06-01T10:00:00Z', null), '2026-06-01T10:30:00Z', '2026-06-01T10:00:00Z'],
    ['once is over', timing('2026-06-01T10:00:00Z', null), '2026-06-02T10:30:00Z', null],
  ])('%s', (_, of, moment, expected) => {
    const start = occurrenceAt(of, at(moment))?.starts_at
    expect(start ?? null).toBe(expected === null ? null : at(expected))
  })

  test('is the one that was next, at each of its ends, for years of many rules', () => {
    for (const recurrence of [
      {},
      { interval: 5 },
      { frequency: 'weekly', weekdays: ['sunday', 'tuesday'], interval: 3 },
      { frequency: 'monthly', day_of_month: 31 },
    ] as Partial<Rule>[]) {
      const of = timing('2026-01-01T01:30:00Z', recurrence)
      let moment = Number.NEGATIVE_INFINITY
      for (let n = 0; n < 60; n++) {
        const next = nextOccurrence(of, moment)
        if (next === null) throw new Error('it comes for ever')
        expect(occurrenceAt(of, next.starts_at)).toEqual(next)
        expect(occurrenceAt(of, next.ends_at - 1)).toEqual(next)
        expect(occurrenceAt(of, next.starts_at - 1)).toBeNull()
        expect(occurrenceAt(of, next.ends_at)).toBeNull()
        moment = next.starts_at
      }
    }
  })
})

test.each<[Partial<Rule>, number]>([
  [{ interval: 3 }, 3],
  [{ frequency: 'weekly', weekdays: ['monday'], interval: 2 }, 14],
  [{ frequency: 'weekly', weekdays: ['monday', 'wednesday'] }, 2],
  [{ frequency: 'weekly', weekdays: ['sunday', 'monday'] }, 1],
  [{ frequency: 'weekly', weekdays: ['sunday', 'monday'], interval: 2 }, 6],
  [{ frequency: 'monthly', day_of_month: 31, interval: 2 }, 56],
])('%j comes again after %i days at the earliest', (recurrence, days) => {
  expect(shortestGapDays(rule(recurrence))).toBe(days)
})
