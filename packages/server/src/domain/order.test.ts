import { expect, test } from 'vitest'
import { inOrder } from './order.ts'

interface Item {
  a: number | null
  b: string
}
const items: Item[] = [
  { a: 2, b: 'x' },
  { a: null, b: 'w' },
  { a: 1, b: 'z' },
  { a: 2, b: 'y' },
]
const sorted = (...order: [string, boolean][]) =>
  [...items]
    .sort(
      inOrder(
        order.map(([field, descending]) => ({ field, descending })),
        (item, field) => item[field as keyof Item],
        (a, b) => (a.b < b.b ? -1 : 1),
      ),
    )
    .map(item => item.b)
    .join('')

test('nulls are last whichever way, and a tie goes the way of the last field', () => {
  expect(sorted(['a', false])).toBe('zxyw')
  expect(sorted(['a', true])).toBe('yxzw')
  expect(sorted(['a', true], ['b', false])).toBe('xyzw')
  expect(sorted()).toBe('wxyz')
})
