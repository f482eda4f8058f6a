import type { MaintenanceWindowPatch, MaintenanceWindowWrite } from '@watchpost/contract'
import { describe, expect, test } from 'vitest'
import { activeWindow, applied, settingsErrors, standingAt, statusOf, withDefaults } from './maintenance.ts'

const at = (iso: string) => Date.parse(iso)
const now = at('2026-11-21T09:00:00Z')
const made = (body: Partial<MaintenanceWindowWrite> = {}) => withDefaults({ title: 'Upgrade', ...body }, now)
const once = { monitor_ids: [3], duration: 3600 }

describe('settings', () => {
  test('defaults: now, in UTC, once, and monitors in the order of their ids', () => {
    expect(made({ monitor_ids: [7, 3], duration: 90 })).toEqual({
      title: 'Upgrade',
      description: null,
      monitor_ids: [3, 7],
      all_monitors: false,
      starts_at: now,
      ends_at: now + 90_000,
      time_zone: 'UTC',
      recurrence: null,
    })
  })

  test('what a rule leaves out follows from the start, in its own time zone', () => {
    const body = { ...once, starts_at: '2026-11-22T23:30:00Z', time_zone: 'Europe/Berlin' }
    const rule = (recurrence: MaintenanceWindowWrite['recurrence']) => made({ ...body, recurrence }).recurrence
    expect(rule({ frequency: 'weekly' })).toMatchObject({ interval: 1, weekdays: ['monday'], day_of_month: null })
    expect(rule({ frequency: 'monthly', interval: 2 })).toMatchObject({ interval: 2, weekdays: null, day_of_month: 23 })
    expect(rule({ frequency: 'daily', until: '2027-01-01T00:00:00Z' })).toMatchObject({
      weekdays: null,
      until: at('2027-01-01T00:00:00Z'),
    })
  })

  test('PATCH: to name monitors is to say that it is not all, and the other way round', () => {
    expect(applied({ all_monitors: true }, made(once))).toMatchObject({ all_monitors: true, monitor_ids: [] })
    expect(applied({ monitor_ids: [4] }, made({ all_monitors: true }))).toMatchObject({
      all_monitors: false,
      monitor_ids: [4],
    })
    expect(applied({ title: 'x' }, made(once))).toEqual({ ...made(once), title: 'x' })
    expect(applied({ duration: 60 }, made(once)).ends_at).toBe(now + 60_000)
  })
})

describe('what is refused', () => {
  const daily = { frequency: 'daily' } as const
  const sunday = '2026-11-22T00:00:00Z'
  test.each<[string, MaintenanceWindowPatch, string[]]>([
    ['nothing', {}, []],
    ['no monitor', { monitor_ids: [] }, ['monitor_ids']],
    ['monitors and all of them', { all_monitors: true, monitor_ids: [3] }, ['monitor_ids']],
    ['two ends', { ends_at: sunday, duration: 60 }, ['ends_at']],
    ['an end before its start', { starts_at: sunday, ends_at: '2026-11-21T00:00:00Z' }, ['ends_at']],
    ['an end at its start', { starts_at: sunday, ends_at: sunday }, ['ends_at']],
    ['less than a minute', { starts_at: sunday, ends_at: '2026-11-22T00:00:59.999Z' }, ['ends_at']],
    ['a minute is enough', { starts_at: sunday, ends_at: '2026-11-22T00:01:00Z' }, []],
    ['30 days are not too much', { starts_at: sunday, ends_at: '2026-12-22T00:00:00Z' }, []],
    ['more than 30 days', { starts_at: sunday, ends_at: '2026-12-22T00:00:00.001Z' }, ['ends_at']],
    ['seconds that are over', { starts_at: '2026-11-21T08:00:00Z', ends_at: '2026-11-21T08:00:03Z' }, []],
    ['another century', { starts_at: '2126-11-21T08:00:00Z', duration: 60 }, ['starts_at']],
    ['a zone that is none', { time_zone: 'Mars/Base' }, ['time_zone']],
    ['an offset', { time_zone: '+01:00' }, ['time_zone']],
    [
      'everything at once',
      { time_zone: 'x', monitor_ids: [], ends_at: '2026-11-01T00:00:00Z' },
      ['ends_at', 'monitor_ids', 'time_zone'],
    ],
    ['a day of 23 hours', { duration: 23 * 3600, recurrence: daily }, []],
    ['a day that would not end', { duration: 23 * 3600 + 1, recurrence: daily }, ['ends_at']],
    ['weekdays of a day', { recurrence: { ...daily, weekdays: ['monday'] } }, ['recurrence.weekdays']],
    ['a day of a week', { recurrence: { frequency: 'weekly', day_of_month: 1 } }, ['recurrence.day_of_month']],
    ['an end before the first', { recurrence: { ...daily, until: '2026-11-01T00:00:00Z' } }, ['recurrence.until']],
  ])('%s', (_, body, fields) => {
    const after = applied(body, made(once))
    expect(Object.keys(settingsErrors(body, after, now)).toSorted()).toEqual(fields)
  })

  test('an end is asked for', () => {
    expect(settingsErrors({}, made({ all_monitors: true }), now)).toEqual({ ends_at: 'is required, or duration' })
  })
})

test.each([
  ['2026-11-21T08:59:59Z', 'scheduled'],
  ['2026-11-21T09:00:00Z', 'active'],
  ['2026-11-21T09:59:59Z', 'active'],
  ['2026-11-21T10:00:00Z', 'ended'],
])('once, at %s: %s', (moment, status) => {
  expect(statusOf(standingAt(made(once), at(moment)))).toBe(status)
})

test('one that comes again is scheduled in between', () => {
  const weekly = made({ ...once, recurrence: { frequency: 'weekly' } })
  expect(statusOf(standingAt(weekly, at('2026-11-25T09:30:00Z')))).toBe('scheduled')
  expect(statusOf(standingAt(weekly, at('2026-11-28T09:30:00Z')))).toBe('active')
})

test('the active window of a monitor is one of its own or one of all', () => {
  const third = { ...made(once), id: 1 }
  const all = { ...made({ all_monitors: true, duration: 60 }), id: 2 }
  expect(activeWindow([third, all], 3, now)?.id).toBe(1)
  expect(activeWindow([third, all], 4, now)?.id).toBe(2)
  expect(activeWindow([third, all], 4, now + 60_000)).toBeUndefined()
  expect(activeWindow([], 3, now)).toBeUndefined()
})
