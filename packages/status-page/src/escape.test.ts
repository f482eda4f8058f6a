import { expect, test } from 'vitest'
import { cssString, escapeHtml } from './escape.ts'

test.each([
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['" onload="x', '&quot; onload=&quot;x'],
  ["' onload='x", '&#39; onload=&#39;x'],
  ['&lt;', '&amp;lt;'],
  ['nul\u0000 and bell\u0007', 'nul and bell'],
  ['tab\tand\nline', 'tab\tand\nline'],
  ['half \ud800 a pair', 'half \ufffd a pair'],
  ['Zürich 東京 🚀', 'Zürich 東京 🚀'],
])('%j is written as %j', (text, safe) => {
  expect(escapeHtml(text)).toBe(safe)
})

test.each(['</style><script>', '"}*{display:none}', 'a\\', 'line\nbreak', '/*', '🚀;'])(
  'the CSS string of %j stays within its quotes and its element',
  text => {
    const inner = cssString(text).slice(1, -1)
    expect(inner).not.toMatch(/["<>\n;{}/*]/)
    expect(inner.replace(/\\([0-9a-f]+) /g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))).toBe(text)
  },
)

test('a date needs no escapes in CSS', () => {
  expect(cssString('21 Nov 2026: 99.98%')).toBe('"21 Nov 2026: 99.98%"')
})
