import { expect, test } from 'vitest'
import { amount } from './units.ts'

test.each([
  [0.25, 's', false, '250 ms'],
  [1234, 'ms', false, '1.23 s'],
  [182_000_000, 'By', false, '182 MB'],
  [2_500_000, 'By', true, '2.5 MB/s'],
  [12, '{request}', true, '12 request/s'],
  [0.0421, '1', false, '0.0421'],
  [1_234_567, '', false, '1.23 M'],
  [null, 's', false, '–'],
])('%s of %s', (value, unit, rate, said) => {
  expect(amount(value, unit, rate)).toBe(said)
})
