import { expect, test } from 'vitest'
import { paths, said, toneOf } from './hours.ts'

test('an hour is good, partly down, down, or not watched', () => {
  expect([100, 99.95, 99.8, 95, 94, 0, null].map(toneOf)).toEqual([
    'good',
    'good',
    'warn',
    'warn',
    'bad',
    'bad',
    'blank',
  ])
})

test('all hours of a kind are one shape', () => {
  expect(paths([null, 100, 0, 100])).toEqual({
    blank: 'M0 8h4v4h-4z',
    good: 'M5 0h4v20h-4zM15 0h4v20h-4z',
    bad: 'M10 0h4v20h-4z',
  })
})

test('the strip is said in words', () => {
  expect(said([100, 100])).toBe('Last 24 hours: no hour with downtime')
  expect(said([100, 50, null, null])).toBe('Last 24 hours: 1 hour with downtime, 2 not watched')
  expect(said([null])).toBe('Nobody watched in the last 24 hours')
})
