import type { Monitor } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { monitor } from '../testing/server-double.ts'
import { changeLine, changesBetween } from './changes.ts'

const of = (...rows: [id: number, status: string][]) => rows.map(([id, status]) => monitor({ id, status }) as Monitor)

test.each([
  ['first sight', of(), of([1, 'online'], [2, 'paused']), ['1 null online', '2 null paused']],
  ['nothing', of([1, 'online']), of([1, 'online']), []],
  ['one change', of([1, 'online'], [2, 'online']), of([1, 'online'], [2, 'offline']), ['2 online offline']],
  ['one more', of([1, 'online']), of([1, 'online'], [2, 'pending']), ['2 null pending']],
  ['one less', of([1, 'online'], [2, 'online']), of([2, 'online']), ['1 online deleted']],
])('%s', (_, before, after, changes) => {
  const said = changesBetween(before, after).map(({ monitor: { id }, from, to }) => `${id} ${from} ${to}`)
  expect(said).toEqual(changes)
})

test('a line says when, from what to what, and which', () => {
  const change = { monitor: of([1, 'offline'])[0] as Monitor, from: 'online', to: 'offline' }
  expect(changeLine(change, Date.UTC(2026, 10, 21, 9, 30))).toBe(
    '2026-11-21T09:30:00.000Z  online -> offline  Shop front  https://shop.example/',
  )
})
