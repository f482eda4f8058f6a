import { expect, test } from 'vitest'
import { escapeDocument, escapeText } from './escape.ts'

test.each([
  ['plain Ünïcode 東京 👩‍👩‍👧', 'plain Ünïcode 東京 👩‍👩‍👧'],
  ['\u001b[2J\u001b]0;owned\u0007', '\\e[2J\\e]0;owned\\u0007'],
  ['two\nlines\r\tand', 'two\\nlines\\r\\tand'],
  ['C1 \u009b31m', 'C1 \\u009b31m'],
  ['bidi \u202egnp.exe', 'bidi \\u202egnp.exe'],
  ['half \ud83d', 'half \\ud83d'],
  ['line\u2028sep\u007f', 'line\\u2028sep\\u007f'],
])('%j is shown as %j', (text, shown) => {
  expect(escapeText(text)).toBe(shown)
})

test('JSON keeps its data when its controls are escaped', () => {
  const value = { name: 'a\u009b\u202e\u007f\u001b\nb' }
  const text = escapeDocument(JSON.stringify(value, null, 2))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
  expect(text).not.toMatch(/[\u001b\u007f-\u009f\u202e]/)
  expect(JSON.parse(text)).toEqual(value)
})
