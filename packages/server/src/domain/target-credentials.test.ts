import { expect, test } from 'vitest'
import { credentialErrors, openTarget } from './target-credentials.ts'

test.each([
  ['http', 'http://user:pw@host/'],
  ['https', 'https://token@host/'],
  ['https', 'https://:pw@host/'],
])('%s %s is refused, with the mend', (type, target) => {
  expect(credentialErrors(type, target)).toEqual({ target: expect.stringContaining('options.auth') })
  expect(credentialErrors(type, target, 'http://host/')).toHaveProperty('target')
  expect(openTarget(type, target)).toMatch(/^https?:\/\/\*\*\*@host\/$/)
})

test.each([
  ['http', 'http://host/a@b?c=@d#@'],
  ['tcp', 'host:22'],
  ['http', 'no url'],
])('%s %s is fine', (type, target) => {
  expect(credentialErrors(type, target)).toEqual({})
  expect(openTarget(type, target)).toBe(target)
})

test('what is there already stays', () => {
  expect(credentialErrors('http', 'http://user:pw@host/', 'http://user:pw@host/')).toEqual({})
})
