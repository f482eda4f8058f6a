import { expect, test } from 'vitest'
import { nextReminder, reminderIntervalMs } from './reminder.ts'

test('an interval is what the options say, or none', () => {
  expect(reminderIntervalMs({ reminder_interval: 60 })).toBe(60_000)
  expect(reminderIntervalMs({})).toBeNull()
})

test.each([
  [1000, 1000, 2000],
  [1000, 1999, 2000],
  [1000, 2000, 3000],
  [1000, 5500, 6000],
])('due at %i, done at %i: next at %i', (due, now, next) => {
  expect(nextReminder(due, 1000, now)).toBe(next)
})
