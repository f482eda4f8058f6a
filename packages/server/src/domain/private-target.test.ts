import { expect, test } from 'vitest'
import { isPrivateTarget, mustStayOutside } from './private-target.ts'

test.each([
  ['http', 'http://127.0.0.1/'],
  ['http', 'http://2130706433/'],
  ['https', 'https://[::1]:8443/health'],
  ['https', 'https://[::ffff:10.0.0.1]/'],
  ['http', 'http://LOCALHOST:9000/'],
  ['http', 'http://user:pass@192.168.1.1/'],
  ['tcp', '10.1.2.3:22'],
  ['tcp', '[fd00::1]:22'],
  ['tcp', 'db.localhost:5432'],
  ['ping', '172.16.0.1'],
  ['ping', 'fe80::1'],
  ['ssl', 'localhost.'],
  ['dns', '169.254.169.254'],
])('%s %s is private', (type, target) => {
  expect(isPrivateTarget(type, target)).toBe(true)
})

test.each([
  ['http', 'https://example.com/127.0.0.1'],
  ['https', 'https://[2606:4700::1111]/'],
  ['tcp', '8.8.8.8:53'],
  ['tcp', 'localhost.example.com:22'],
  ['ping', '2606:4700::1111'],
  ['ssl', 'example.com'],
  ['http', 'no url'],
])('%s %s is not', (type, target) => {
  expect(isPrivateTarget(type, target)).toBe(false)
})

test('only strangers must stay outside, and only where they may come in', () => {
  expect([mustStayOutside(1, 'open'), mustStayOutside(2, 'open'), mustStayOutside(2, 'closed')]).toEqual([
    false,
    true,
    false,
  ])
})
