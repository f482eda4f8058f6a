import { expect, test } from 'vitest'
import { html, trusted } from './html.ts'

test('what is interpolated is escaped, also in attributes and lists', () => {
  expect(html`<p title="${'"'}">${'<b>'}${['&', 1]}</p>`.markup).toBe('<p title="&quot;">&lt;b&gt;&amp;1</p>')
})

test('markup made by html is not escaped again', () => {
  expect(html`<ul>${['a', '<'].map(text => html`<li>${text}</li>`)}</ul>`.markup).toBe(
    '<ul><li>a</li><li>&lt;</li></ul>',
  )
})

test('an object that only looks like markup is not trusted', () => {
  const forged = JSON.parse('{"markup":"<script>"}')
  expect(() => html`${forged}`).toThrow()
})

test('false, null and undefined are nothing, zero and the empty string are themselves', () => {
  expect(html`[${false}${null}${undefined}${0}${''}]`.markup).toBe('[0]')
})

test('indentation of the template is dropped, that of the text is kept', () => {
  expect(
    html`<p>
    ${'a\n  b'}</p>`.markup,
  ).toBe('<p>a\n  b</p>')
  expect(trusted('<i></i>').markup).toBe('<i></i>')
})
