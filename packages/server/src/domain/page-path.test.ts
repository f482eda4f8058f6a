import { expect, test } from 'vitest'
import { pagePath, pageUrl, withoutSlash } from './page-path.ts'

test.each([
  ['/', '/status/acme'],
  ['/?from=mail', '/status/acme?from=mail'],
  ['/feed.rss', '/status/acme/feed.rss'],
  ['/api/v2/summary.json', '/status/acme/api/v2/summary.json'],
  ['/badge/status.svg?label=a%2Fb', '/status/acme/badge/status.svg?label=a%2Fb'],
  ['/history?page=2', '/status/acme/history?page=2'],
  ['/status/acme/logo', '/status/acme/logo'],
  ['/status/other', '/status/other'],
  ['/v1/monitors', '/v1/monitors'],
  ['//', '//'],
  ['/api/v2/summary.json/..', '/api/v2/summary.json/..'],
])('under the name of a page, %s is %s', (asked, path) => {
  expect(pagePath('acme', asked)).toBe(path)
})

test('a page is found under its own name where it has one', () => {
  expect(pageUrl('https://watch.example', { slug: 'acme', custom_domain: null })).toBe(
    'https://watch.example/status/acme',
  )
  expect(pageUrl('https://watch.example', { slug: 'acme', custom_domain: 'status.acme.example' })).toBe(
    'https://status.acme.example/',
  )
})

test.each([
  ['/status/acme/', '/status/acme'],
  ['/status/acme/?from=mail', '/status/acme?from=mail'],
  ['/status/acme//', '/status/acme//'],
  ['/status/acme/feed.rss', '/status/acme/feed.rss'],
  ['/status/', '/status/'],
  ['/v1/monitors/', '/v1/monitors/'],
])('%s is the same as %s', (asked, path) => {
  expect(withoutSlash(asked)).toBe(path)
})
