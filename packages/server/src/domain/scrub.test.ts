import { expect, test } from 'vitest'
import { clip, scrubText, scrubUrl, scrubValue } from './scrub.ts'

test.each([
  ['mail ada.lovelace+x@mail.example.com now', 'mail [email] now'],
  ['/reset/ada%40example.com', '/reset/[email]'],
  ['card 4111 1111 1111 1111.', 'card [card].'],
  ['card 5500-0000-0000-0004', 'card [card]'],
  ['order 4111 1111 1111 1112', 'order 4111 1111 1111 1112'],
  ['visit 434fb435-1a2b-4c3d-8111-411111110001', 'visit 434fb435-1a2b-4c3d-8111-411111110001'],
  ['took 1763717400000 ms', 'took 1763717400000 ms'],
  ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_x end', 'jwt [token] end'],
  ['Authorization: Bearer abc.def-123', 'Authorization: [secret] [secret]'],
  ['sent Bearer abc.def-123', 'sent Bearer [secret]'],
  ['{"password":"hunter2","user":"ada"}', '{"password":"[secret]","user":"ada"}'],
  ['access_token=abc&page=2', 'access_token=[secret]&page=2'],
  ['apiKey: abc', 'apiKey: [secret]'],
  ['key wp_api_abcdefghijkl', 'key [token]'],
  ['Cannot read properties of undefined (reading "token")', 'Cannot read properties of undefined (reading "token")'],
  ['at f (https://a.example/app.js?v=3:10:5)', 'at f (https://a.example/app.js:10:5)'],
  ['f@https://a.example/app.js?token=abc#x:10:5', 'f@https://a.example/app.js:10:5'],
  ['GET https://a.example/cart?a=1&b=2 failed', 'GET https://a.example/cart failed'],
  ['nothing to hide', 'nothing to hide'],
])('%s', (text, clean) => {
  expect(scrubText(text)).toBe(clean)
})

test.each([
  ['https://shop.example.com/cart?x=1#y', 'https://shop.example.com/cart'],
  ['https://shop.example.com/#/cart', 'https://shop.example.com/'],
  ['https://ada:secret@shop.example.com/', 'https://shop.example.com/'],
  ['/cart?x=1', '/cart'],
])('%s', (url, bare) => {
  expect(scrubUrl(url)).toBe(bare)
})

test('values of any shape, by their names, too', () => {
  const deep = { password: 'x', apiKey: 7, user_token: ['a'], monkey: 'banana', note: 'a@b.example', n: 3, none: null }
  expect(scrubValue({ deep, list: [deep] })).toEqual({
    deep: {
      password: '[secret]',
      apiKey: '[secret]',
      user_token: '[secret]',
      monkey: 'banana',
      note: '[email]',
      n: 3,
      none: null,
    },
    list: [expect.objectContaining({ password: '[secret]' })],
  })
  let endless: object = {}
  for (let depth = 0; depth < 50; depth++) endless = { endless }
  expect(JSON.stringify(scrubValue(endless)).length).toBeLessThan(200)
})

test('what no engine can keep is left out, and texts are cut', () => {
  expect(clip('a\0b\ud800c', 100)).toBe('ab\ufffdc')
  expect(clip('abc', 2)).toBe('ab')
})

test('a text made to be slow is not', () => {
  const began = performance.now()
  for (const text of ['a@', 'eyJ', '1 ', 'https://', 'token=', '"password":', 'a.', '%40', '4-'])
    scrubText(text.repeat(8000 / text.length))
  expect(performance.now() - began).toBeLessThan(20_000)
})
