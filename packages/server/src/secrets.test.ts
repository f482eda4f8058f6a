import { expect, test } from 'vitest'
import { createKeyring, hashToken, newPassword, newToken, newWebhookSecret } from './secrets.ts'

test('a token names its kind and never repeats', () => {
  expect(newToken('api')).toMatch(/^wp_api_[\w-]{43}$/)
  expect(newToken('probe')).toMatch(/^wp_probe_[\w-]{43}$/)
  expect(newToken('app')).toMatch(/^wp_app_[\w-]{43}$/)
  expect(newToken('rum')).toMatch(/^wp_rum_[\w-]{43}$/)
  expect(newToken('api')).not.toBe(newToken('api'))
})

test('the hash of a token does not hold it', () => {
  const token = newToken('api')
  expect(hashToken(token)).toBe(hashToken(token))
  expect(hashToken(token)).not.toContain(token.slice(7, 17))
})

test('a webhook secret holds 32 bytes', () => {
  expect(Buffer.from(newWebhookSecret().replace('whsec_', ''), 'base64')).toHaveLength(32)
})

test('a password has 20 characters that cannot be mistaken for others', () => {
  expect(newPassword()).toMatch(/^[A-HJ-NP-Za-km-z2-9]{20}$/)
})

test('what is sealed opens with the same key for the same purpose, and not otherwise', () => {
  const keyring = createKeyring('one')
  const sealed = keyring.seal('https://hooks.example.com/secret', 'channel:1')
  expect(sealed).not.toContain('hooks')
  expect(keyring.open(sealed, 'channel:1')).toBe('https://hooks.example.com/secret')
  expect(() => keyring.open(sealed, 'channel:2')).toThrow()
  expect(() => createKeyring('two').open(sealed, 'channel:1')).toThrow()
})
