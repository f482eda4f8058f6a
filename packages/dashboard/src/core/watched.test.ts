import type { Monitor } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { lookedAfter, silentAt, stateOf } from './watched.ts'

const at = Date.parse('2026-11-21T09:30:00.000Z')
const monitor = (more: Partial<Monitor> = {}) =>
  ({
    status: 'online',
    watched: true,
    interval: 60,
    timeout: 10,
    last_check_at: new Date(at).toISOString(),
    ...more,
  }) as Monitor

test.each([
  ['online', true, 'online'],
  ['offline', true, 'offline'],
  ['online', false, 'unwatched'],
  ['offline', false, 'unwatched'],
  // Nobody is expected to have looked at these.
  ['pending', false, 'pending'],
  ['paused', false, 'paused'],
] as const)('%s and watched %s is %s', (status, watched, state) => {
  expect(stateOf({ status, watched })).toBe(state)
})

test('it falls silent when nobody has looked for three intervals, without a word from the server', () => {
  const seen = monitor()
  expect(silentAt(seen)).toBe(at + 180_000)
  expect(lookedAfter(seen, at + 179_999)).toBe(seen)
  expect(stateOf(lookedAfter(seen, at + 180_000))).toBe('unwatched')
  expect(lookedAfter(monitor({ last_check_at: null }), at + 1e12).watched).toBe(true)
})
