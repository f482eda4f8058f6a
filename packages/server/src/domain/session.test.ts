import { expect, test } from 'vitest'
import { cookieEnd, isWorthNoting, sessionEnd, sessionScopes } from './session.ts'

const day = 86_400_000

test('a log-in ends fourteen days after its last use, and after ninety days whatever its use', () => {
  expect(sessionEnd(0, 0)).toBe(14 * day)
  expect(sessionEnd(0, 50 * day)).toBe(64 * day)
  expect(sessionEnd(0, 80 * day)).toBe(90 * day)
  expect(cookieEnd(day)).toBe(91 * day)
})

test('its use is noted once a minute', () => {
  expect([isWorthNoting(0, 59_999), isWorthNoting(0, 60_000)]).toEqual([false, true])
})

test('who may write has every scope', () => {
  expect(sessionScopes('viewer')).toEqual([])
  for (const role of ['member', 'admin', 'owner'] as const) expect(sessionScopes(role)).toEqual(['status-pages:write'])
})
