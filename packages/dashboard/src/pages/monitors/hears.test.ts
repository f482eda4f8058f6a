import type { Channel } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { hears } from './hears.ts'

const channel = (more: Partial<Channel> = {}) =>
  ({ enabled: true, disabled_at: null, events: [], monitor_ids: [], ...more }) as unknown as Channel

test.each([
  ['everything of every monitor', {}, true],
  ['this monitor', { monitor_ids: [8, 7] }, true],
  ['another monitor', { monitor_ids: [8] }, false],
  ['status changes', { events: ['monitor.status_changed'] }, true],
  ['alerts', { events: ['alert.triggered'] }, true],
  ['incidents that are opened', { events: ['incident.created'] }, true],
  ['quotas', { events: ['usage.threshold'] }, false],
  ['nothing, being off', { enabled: false }, false],
  ['nothing, as its receiver asked', { disabled_at: '2026-11-21T09:30:00.000Z' }, false],
] as const)('of a channel that gets %s', (_, more, expected) => {
  expect(hears(channel(more as Partial<Channel>), 7)).toBe(expected)
})
