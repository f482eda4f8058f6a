import type { Monitor } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { choose, tally } from './choose.ts'

const monitor = (id: number, name: string, status: Monitor['status'], more: Partial<Monitor> = {}) =>
  ({
    id,
    name,
    status,
    watched: true,
    type: 'http',
    target: `http://${name}.example`,
    response_time_ms: id,
    ...more,
  }) as Monitor
const all = [
  monitor(1, 'shop 10', 'online'),
  monitor(2, 'shop 9', 'offline'),
  monitor(3, 'mail', 'paused', { type: 'tcp' }),
  monitor(4, 'Shop 2', 'online'),
]
const ids = (choice: object) =>
  choose(all, { text: '', status: '', type: '', order: 'status', ...choice }).map(({ id }) => id)

test('what is down comes first, then by name as people count', () => {
  expect(ids({})).toEqual([2, 4, 1, 3])
})

test('every word must be in the name or the target', () => {
  expect(ids({ text: 'SHOP .example' })).toEqual([2, 4, 1])
  expect(ids({ text: 'shop nothing' })).toEqual([])
})

test('filters combine', () => {
  expect(ids({ status: 'online', text: '10' })).toEqual([1])
  expect(ids({ type: 'tcp' })).toEqual([3])
})

test('the slowest first', () => {
  expect(ids({ order: 'response' })).toEqual([4, 3, 2, 1])
})

test('what nobody watches is apart from up and down, and right after what is down', () => {
  const some = [...all, monitor(5, 'left alone', 'offline', { watched: false })]
  const choice = { text: '', status: '', type: '', order: 'status' as const }
  expect(choose(some, choice).map(({ id }) => id)).toEqual([2, 5, 4, 1, 3])
  expect(choose(some, { ...choice, status: 'unwatched' }).map(({ id }) => id)).toEqual([5])
  expect(choose(some, { ...choice, status: 'offline' }).map(({ id }) => id)).toEqual([2])
})

test('each state is counted', () => {
  const some = [...all, monitor(5, 'left alone', 'online', { watched: false })]
  expect(tally(some)).toEqual({ online: 2, offline: 1, unwatched: 1, pending: 0, paused: 1 })
})
