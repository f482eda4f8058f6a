import { expect, test } from 'vitest'
import { openTarget } from './target-credentials.ts'

test.each([
  ['http', 'http://user:pw@host/'],
  ['https', 'https://token@host/'],
  ['https', 'https://:pw@host/'],
])('%s %s is shown without', (type, target) => {
  expect(openTarget(type, target)).toMatch(/^https?:\/\/\*\*\*@host\/$/)
})

test.each([
  ['http', 'http://host/a@b?c=@d#@'],
  ['tcp', 'host:22'],
  ['http', 'no url'],
])('%s %s holds none', (type, target) => {
  expect(openTarget(type, target)).toBe(target)
})
