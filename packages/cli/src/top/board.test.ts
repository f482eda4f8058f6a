import type { Monitor } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { monitor } from '../testing/server-double.ts'
import { arrange, Board, nextCheck, type Order } from './board.ts'

const at = '2026-11-21T09:30:00.000Z'
const shop = monitor({ response_time_ms: 20, uptime_24h: 100 }) as Monitor
const mail = monitor({
  id: 2,
  name: 'Mail 10',
  type: 'tcp',
  target: 'mail:25',
  status: 'offline',
  uptime_24h: 90,
}) as Monitor
const old = monitor({ id: 3, name: 'Mail 9', status: 'paused', response_time_ms: null, uptime_24h: null }) as Monitor
const soon = monitor({ id: 4, name: 'Soon', interval: 10, status: 'pending', response_time_ms: 900 }) as Monitor
const board = new Board([shop, mail, old, soon])
const names = (order: Order, reversed = false, filter = '') =>
  arrange(board.rows, order, reversed, filter).map(({ monitor }) => monitor.name)

test.each([
  ['status', ['Mail 10', 'Soon', 'Shop front', 'Mail 9']],
  ['name', ['Mail 9', 'Mail 10', 'Shop front', 'Soon']],
  ['response', ['Soon', 'Mail 10', 'Shop front', 'Mail 9']],
  ['uptime', ['Mail 10', 'Soon', 'Shop front', 'Mail 9']],
  ['next', ['Soon', 'Mail 10', 'Shop front', 'Mail 9']],
] as const)('in the order of %s', (order, expected) => {
  expect(names(order)).toEqual(expected)
})

test('the other way round', () => {
  expect(names('name', true)).toEqual(['Soon', 'Shop front', 'Mail 10', 'Mail 9'])
})

test.each([
  ['mail', ['Mail 10', 'Mail 9']],
  ['MAIL offline', ['Mail 10']],
  ['tcp', ['Mail 10']],
  ['nothing', []],
])('filtered by "%s"', (filter, expected) => {
  expect(names('status', false, filter)).toEqual(expected)
})

test('a check changes its row, and one of an unknown monitor is said to', () => {
  const live = new Board([shop])
  const before = live.version
  expect(live.checked({ monitor_id: 1, status: 'offline', response_time_ms: 7, last_check_at: at })).toBe(true)
  expect(live.checked({ monitor_id: 1, status: 'online', response_time_ms: 8, last_check_at: at })).toBe(true)
  expect(live.row(1)).toMatchObject({ times: [20, null, 8], monitor: { status: 'online', response_time_ms: 8 } })
  expect(live.version).toBe(before + 2)
  expect(live.checked({ monitor_id: 9, status: 'online', response_time_ms: 8, last_check_at: at })).toBe(false)
})

test('times are kept to a limit, and through a reading of the list', () => {
  const live = new Board([shop, mail])
  for (let time = 0; time < 100; time++) {
    live.checked({ monitor_id: 1, status: 'online', response_time_ms: time, last_check_at: at })
  }
  live.replace([shop])
  expect(live.row(1)?.times).toHaveLength(40)
  expect(live.row(2)).toBeUndefined()
})

test.each([
  [shop, Date.parse(at) + 60_000],
  [old, undefined],
  [monitor({ last_check_at: null }) as Monitor, 0],
])('when the next check is due', (of, due) => {
  expect(nextCheck(of)).toBe(due)
})
