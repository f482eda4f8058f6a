import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

test('a password is known again by its hash, which does not hold it', async () => {
  const stored = await hashPassword('correct horse')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(stored).not.toContain('horse')
  expect(await verifyPassword('correct horse', stored)).toBe(true)
  expect(await verifyPassword('correct horsf', stored)).toBe(false)
})

test('the same password hashed twice looks different', async () => {
  expect(await hashPassword('same')).not.toBe(await hashPassword('same'))
})

test('a hash that cannot be read lets nobody in', async () => {
  expect(await verifyPassword('', 'plain')).toBe(false)
})
