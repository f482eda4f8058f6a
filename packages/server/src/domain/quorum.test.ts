import type { Quorum } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { isDown, type Vote } from './quorum.ts'

const letters: Record<string, Vote> = { u: 'up', d: 'down', '?': 'unsure', '-': 'silent' }

// Votes of the regions: u up, d down, ? not sure yet, - silent.
test.each<[Quorum, string, boolean]>([
  ['any', 'uuu', false],
  ['any', 'duu', true],
  ['any', '?uu', false],
  ['any', '---', false],
  ['any', 'd--', true],
  ['majority', 'duu', false],
  ['majority', 'ddu', true],
  ['majority', 'dduu', false],
  ['majority', 'ddduu', true],
  ['majority', 'dd?', true],
  ['majority', 'd?', false],
  ['majority', 'd-', true],
  ['majority', 'd--', true],
  ['majority', 'du-', false],
  ['majority', '---', false],
  ['all', 'ddu', false],
  ['all', 'dd?', false],
  ['all', 'ddd', true],
  ['all', 'dd-', true],
  ['all', '--', false],
  [1, 'du', true],
  [2, 'duu', false],
  [2, 'ddu', true],
  [2, 'd--', false],
  [3, 'dd-', false],
  [3, 'ddd', true],
])('%s of %s: down is %s', (quorum, votes, expected) => {
  const read = [...votes].map(letter => letters[letter] as Vote)
  expect(isDown(quorum, read)).toBe(expected)
})
