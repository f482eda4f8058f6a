import { expect, test } from 'vitest'
import { Recent } from './recent.ts'

test('what nobody has asked for longest is forgotten first', () => {
  const recent = new Recent<string, number>(100)
  recent.set('a', 1, 40)
  recent.set('b', 2, 40)
  expect(recent.get('a')).toBe(1)
  recent.set('c', 3, 40)
  expect(['a', 'b', 'c'].map(key => recent.get(key))).toEqual([1, undefined, 3])
})

test('what is read again counts once', () => {
  const recent = new Recent<string, number>(100)
  for (let turn = 0; turn < 5; turn++) recent.set('a', turn, 40)
  recent.set('b', 2, 40)
  expect(['a', 'b'].map(key => recent.get(key))).toEqual([4, 2])
})
