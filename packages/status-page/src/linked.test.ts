import { expect, test } from 'vitest'
import { linked } from './linked.ts'

const link = (url: string) => `<a href="${url}" rel="nofollow noopener">${url}</a>`

test.each([
  ['See https://example.com/a?b=1#c.', `See ${link('https://example.com/a?b=1#c')}.`],
  ['(https://example.com/), http://b.example', `(${link('https://example.com/')}), ${link('http://b.example')}`],
  ['https://example.com/a_(b).', `${link('https://example.com/a_(b)')}.`],
  ['https://example.com/?a=1&b=2', link('https://example.com/?a=1&amp;b=2')],
  ['<https://example.com>', `&lt;${link('https://example.com')}&gt;`],
  ['javascript:alert(1) http:// https://[', 'javascript:alert(1) http:// https://['],
  ['https://a.example/"onclick="x', `${link('https://a.example/')}&quot;onclick=&quot;x`],
  ['no address', 'no address'],
])('%s', (text, markup) => {
  expect(linked(text).markup).toBe(markup)
})
