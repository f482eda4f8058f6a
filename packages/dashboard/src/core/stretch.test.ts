import { expect, test } from 'vitest'
import { closer, earlier, later } from './stretch.ts'

test('half a stretch back and forth, never into the future', () => {
  expect(earlier([100, 200])).toEqual([50, 150])
  expect(later([50, 150], 1000)).toEqual([100, 200])
  expect(later([50, 150], 170)).toEqual([70, 170])
  expect(later([100, 200], 150)).toEqual([100, 200])
})

test('closer is the middle half', () => {
  expect(closer([100, 200])).toEqual([125, 175])
})
