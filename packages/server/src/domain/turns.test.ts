import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('a team has so many, all have so many, and what is given back is there again', () => {
  const turns = new Turns(3, 2)
  const first = turns.take(1)
  expect([first, turns.take(1)]).not.toContain(undefined)
  expect(turns.take(1)).toBeUndefined()
  expect(turns.take(2)).toBeDefined()
  expect(turns.take(3)).toBeUndefined()
  first?.()
  first?.()
  expect(turns.take(3)).toBeDefined()
  expect([turns.take(1), turns.take(2)]).toEqual([undefined, undefined])
})
