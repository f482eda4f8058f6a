import { expect, test } from 'vitest'
import { clockAhead, eventTime } from './event-time.ts'

const now = 1_763_717_400_000
const hour = 3_600_000

test.each([
  ['a clock that is right', now - 5000, now, now - 5000],
  ['an hour ahead', now + hour - 5000, now + hour, now - 5000],
  ['a year behind', now - 9000 * hour - 5000, now - 9000 * hour, now - 5000],
  ['offline for two hours', now - 2 * hour, now, now - 2 * hour],
  ['offline for two days: as far back as is believed', now - 48 * hour, now, now - 24 * hour],
  ['from the future of its own clock', now + 1000, now, now],
])('%s', (_, at, sentAt, corrected) => {
  expect(eventTime(at, clockAhead(sentAt, at, now), now)).toBe(corrected)
})

test('who does not say when it sent is believed, unless it speaks of the future', () => {
  expect(eventTime(now - hour, clockAhead(undefined, now - hour, now), now)).toBe(now - hour)
  const ahead = clockAhead(undefined, now + hour, now)
  expect([eventTime(now + hour, ahead, now), eventTime(now + hour - 70, ahead, now)]).toEqual([now, now - 70])
  expect(eventTime(undefined, clockAhead(undefined, undefined, now), now)).toBe(now)
})
