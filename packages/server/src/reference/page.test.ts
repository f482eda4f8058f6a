import { openApi, routes } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { type Document, kindOf } from './document.ts'
import { renderReference } from './page.ts'

const page = renderReference(openApi(routes, {}, '1.2.3') as unknown as Document)

test('every operation and every event has its place, once', () => {
  for (const name of Object.keys(routes)) expect(page.split(`<section id="${name}">`), name).toHaveLength(2)
  expect(page).toContain('<section id="monitor.status_changed">')
})

test('it says who may, what fields there are, and shows an example', () => {
  const create = page.split('<section id="createMonitor">')[1]?.split('</section>')[0] ?? ''
  expect(create).toContain('A token with the role member or above.')
  expect(create).toContain('<th>interval</th><td>integer, 10 to 86400')
  expect(create).toContain('&quot;name&quot;')
})

test('what stands in the document is text, never markup', () => {
  const hostile = { ...openApi({}, {}, '<script>'), webhooks: {} } as unknown as Document
  expect(renderReference(hostile)).not.toContain('<script>')
})

test.each([
  [{ type: 'string', maxLength: 9 }, 'string, at most 9 characters'],
  [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'number or null'],
  [{ type: 'array', items: { $ref: '#/components/schemas/Monitor' } }, 'array of Monitor'],
  [{ type: 'string', enum: ['get', 'post'] }, 'get, post'],
])('%j is called %s', (schema, words) => {
  expect(kindOf(schema)).toBe(words)
})
