import { expect, test } from 'vitest'
import { itemBody, listBody } from './envelope.ts'

test('one thing is wrapped with success and message', () => {
  expect(itemBody({ id: 1 })).toEqual({ success: true, message: 'Success', data: { id: 1 } })
  expect(itemBody(null, 'Monitor deleted')).toEqual({ success: true, message: 'Monitor deleted', data: null })
})

test('a page knows its neighbours, and keeps the query', () => {
  const { meta, links } = listBody([1], 45, 2, 20, '/v1/monitors?status=online&page=2')
  expect(meta).toEqual({ total: 45, page: 2, per_page: 20, total_pages: 3 })
  expect(links).toEqual({
    first: '/v1/monitors?status=online&page=1',
    prev: '/v1/monitors?status=online&page=1',
    next: '/v1/monitors?status=online&page=3',
    last: '/v1/monitors?status=online&page=3',
  })
})

test.each([
  ['an empty list', 0, 1, { prev: null, next: null, last: '/x?page=1' }],
  ['the last page', 40, 2, { prev: '/x?page=1', next: null, last: '/x?page=2' }],
  ['a page beyond the end', 40, 9, { prev: '/x?page=2', next: null, last: '/x?page=2' }],
])('%s', (_, total, page, links) => {
  expect(listBody([], total, page, 20, '/x').links).toMatchObject(links)
})
