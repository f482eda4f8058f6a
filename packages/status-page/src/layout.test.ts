import { expect, test } from 'vitest'
import { layoutOf } from './layout.ts'

test.each([
  ['modern-light', { scheme: 'light', compact: false }],
  ['modern-dark', { scheme: 'dark', compact: false }],
  ['dark', { scheme: 'dark', compact: false }],
  ['modern-auto', { scheme: 'auto', compact: false }],
  ['compact', { scheme: 'auto', compact: true }],
  ['compact-dark', { scheme: 'dark', compact: true }],
  ['of-tomorrow', { scheme: 'auto', compact: false }],
])('the layout %s', (name, layout) => {
  expect(layoutOf(name)).toEqual(layout)
})
