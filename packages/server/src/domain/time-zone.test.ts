import { expect, test } from 'vitest'
import { instantOf, isTimeZone, localTime } from './time-zone.ts'

const at = (iso: string) => Date.parse(iso)
const minutes = (hour: number, minute: number) => (hour * 60 + minute) * 60_000
const dayOf = (date: string) => Date.parse(date) / 86_400_000

test.each([
  ['an ordinary day', 'Europe/Berlin', '2026-07-01', [2, 30], '2026-07-01T00:30:00Z'],
  ['in winter', 'Europe/Berlin', '2026-01-01', [2, 30], '2026-01-01T01:30:00Z'],
  ['skipped in spring: an hour later', 'Europe/Berlin', '2026-03-29', [2, 30], '2026-03-29T01:30:00Z'],
  ['before the skip', 'Europe/Berlin', '2026-03-29', [1, 59], '2026-03-29T00:59:00Z'],
  ['after the skip', 'Europe/Berlin', '2026-03-29', [3, 0], '2026-03-29T01:00:00Z'],
  ['shown twice in autumn: the first', 'Europe/Berlin', '2026-10-25', [2, 30], '2026-10-25T00:30:00Z'],
  ['after the second', 'Europe/Berlin', '2026-10-25', [3, 0], '2026-10-25T02:00:00Z'],
  ['west of Greenwich, skipped', 'America/New_York', '2026-03-08', [2, 30], '2026-03-08T07:30:00Z'],
  ['west of Greenwich, twice', 'America/New_York', '2026-11-01', [1, 30], '2026-11-01T05:30:00Z'],
  ['half an hour of summer', 'Australia/Lord_Howe', '2026-10-04', [2, 15], '2026-10-03T15:45:00Z'],
  ['midnight that is skipped', 'America/Santiago', '2026-09-06', [0, 15], '2026-09-06T04:15:00Z'],
  ['without any change', 'Asia/Kolkata', '2026-03-29', [2, 30], '2026-03-28T21:00:00Z'],
  ['UTC', 'UTC', '2026-03-29', [2, 30], '2026-03-29T02:30:00Z'],
] as const)('%s', (_, zone, date, [hour, minute], instant) => {
  const found = instantOf({ day: dayOf(date), ms: minutes(hour, minute) }, zone)
  expect(new Date(found).toISOString()).toBe(instant.replace('Z', '.000Z'))
})

test('every hour of two years of many zones is where it came from, unless it was shown before', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'UTC']) {
    for (let moment = at('2026-01-01T00:00:00Z'); moment < at('2028-01-01T00:00:00Z'); moment += 3_600_000 * 5) {
      const found = instantOf(localTime(moment, zone), zone)
      expect(localTime(found, zone)).toEqual(localTime(moment, zone))
      expect([0, 1_800_000, 3_600_000]).toContain(moment - found)
    }
  }
})

test('time zones are names, not offsets', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'europe/berlin', 'Asia/Kolkata', 'Etc/GMT+5']) {
    expect(isTimeZone(zone), zone).toBe(true)
  }
  for (const zone of ['', '+01:00', '-0500', 'Mars/Base', 'Europe/Berlin ', 'constructor', '\u0000']) {
    expect(isTimeZone(zone), zone).toBe(false)
  }
})
