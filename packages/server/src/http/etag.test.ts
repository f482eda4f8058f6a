import { expect, test } from 'vitest'
import { entityTag, isCurrent, isHeld } from './etag.ts'

test('other bytes have another tag, the same bytes the same', () => {
  expect(entityTag('a')).toBe(entityTag(Buffer.from('a')))
  expect(entityTag('a')).not.toBe(entityTag('b'))
  expect(entityTag('a', 3)).toMatch(/^"3\.[\w-]{20}"$/)
})

test.each([
  [undefined, false],
  ['*', true],
  ['"x"', false],
  [entityTag('a'), true],
  [`W/${entityTag('a')}`, true],
  [`"x", ${entityTag('a')}`, true],
  [entityTag('a', 1), false],
])('If-None-Match: %s holds the bytes: %s', (header, held) => {
  expect(isHeld(header, entityTag('a'))).toBe(held)
})

test('If-Match is about the version where there is one, and about the bytes where there is none', () => {
  expect(isCurrent(entityTag('older bytes', 3), entityTag('bytes', 3), 3)).toBe(true)
  expect(isCurrent(entityTag('bytes', 2), entityTag('bytes', 3), 3)).toBe(false)
  expect(isCurrent(entityTag('bytes', 31), entityTag('bytes', 3), 3)).toBe(false)
  expect(isCurrent('*', entityTag('bytes', 3), 3)).toBe(true)
  expect(isCurrent(entityTag('older'), entityTag('bytes'), undefined)).toBe(false)
  expect(isCurrent(entityTag('bytes'), entityTag('bytes'), undefined)).toBe(true)
})
