import { expect, test } from 'vitest'
import { isCrossOrigin, isSameOrigin } from './same-origin.ts'

const hosts = ['watch.example:8080', 'watch.example']

test.each([
  // [Sec-Fetch-Site, Origin, proven to be ours, proven to be another's]
  ['same-origin', undefined, true, false],
  ['none', undefined, true, false],
  ['same-site', 'https://watch.example', false, true],
  ['cross-site', undefined, false, true],
  [undefined, 'https://watch.example', true, false],
  [undefined, 'http://watch.example:8080', true, false],
  [undefined, 'https://watch.example.evil.example', false, true],
  [undefined, 'https://evil.example', false, true],
  [undefined, 'null', false, true],
  [undefined, 'garbage', false, true],
  [undefined, 'file://', false, true],
  [undefined, undefined, false, false],
])('Sec-Fetch-Site %s, Origin %s', (fetchSite, origin, ours, theirs) => {
  expect([isSameOrigin({ fetchSite, origin, hosts }), isCrossOrigin({ fetchSite, origin, hosts })]).toEqual([
    ours,
    theirs,
  ])
})

test('an empty host is nobody', () => {
  expect(isSameOrigin({ fetchSite: undefined, origin: 'file://', hosts: [''] })).toBe(false)
})
