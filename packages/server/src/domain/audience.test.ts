import type { ChannelType } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { audienceOf, type Happening, type Listener } from './audience.ts'

const listener = (type: ChannelType, chosen: Partial<Listener> = {}): Listener => ({
  id: 1,
  type,
  events: null,
  monitor_ids: null,
  created_at: 0,
  ...chosen,
})
const happening = (
  event: Happening['event'],
  data: Happening['data'] = {},
  more: Partial<Happening> = {},
): Happening => ({
  event,
  data: { monitor_id: 7, ...data },
  created_at: 10,
  echo: false,
  down_since_at: null,
  ...more,
})
const down = happening('monitor.status_changed', { old_status: 'online', new_status: 'offline' }, { down_since_at: 5 })
const alert = happening('alert.triggered', { reason: 'status_changed' })
const reminder = happening('alert.triggered', { reason: 'reminder' })
const opened = happening('incident.created', { monitor_ids: [7] }, { echo: true })
const manual = happening('incident.created', { monitor_ids: [] })

const gets = (who: Listener, what: Happening) => audienceOf([who], what).length === 1

test('without filters a program gets every event, a person each happening once', () => {
  const all = [down, alert, reminder, opened, manual]
  expect(all.map(what => gets(listener('webhook'), what))).toEqual([true, true, true, true, true])
  for (const type of ['email', 'slack', 'telegram', 'discord'] as const) {
    expect(all.map(what => gets(listener(type), what))).toEqual([true, false, true, false, true])
  }
})

test.each([
  ['monitor.status_changed', [true, false, false, false, false]],
  ['alert.triggered', [true, false, true, false, false]],
  ['incident.created', [false, false, false, true, true]],
] as const)('a person who chose %s', (event, expected) => {
  const who = listener('email', { events: [event] })
  expect([down, alert, reminder, opened, manual].map(what => gets(who, what))).toEqual(expected)
})

test('a program gets what it chose and nothing else', () => {
  const who = listener('webhook', { events: ['alert.triggered'] })
  expect([down, alert, reminder, opened, manual].map(what => gets(who, what))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ])
})

test('a channel of certain monitors gets what is about one of them, and nothing that is about none', () => {
  const about = (data: Happening['data']) => happening('incident.updated', { ...data })
  const who = listener('webhook', { monitor_ids: [7, 8] })
  expect(gets(who, down)).toBe(true)
  expect(gets(who, about({ monitor_ids: [1, 8] }))).toBe(true)
  expect(gets(who, about({ monitor_ids: [1] }))).toBe(false)
  expect(gets(who, about({ monitor_ids: [] }))).toBe(false)
  expect(gets(listener('webhook', { monitor_ids: [8] }), down)).toBe(false)
})

test('that something works after all wakes nobody, unless they were told that it does not', () => {
  const up = { old_status: 'pending', new_status: 'online' }
  expect(gets(listener('email'), happening('monitor.status_changed', up))).toBe(false)
  expect(gets(listener('email'), happening('monitor.status_changed', up, { down_since_at: 5 }))).toBe(true)
  expect(gets(listener('webhook'), happening('monitor.status_changed', up))).toBe(true)
})

test('what happened before a channel was made is not for it', () => {
  expect(gets(listener('webhook', { created_at: 11 }), down)).toBe(false)
  expect(gets(listener('webhook', { created_at: 10 }), down)).toBe(true)
})
