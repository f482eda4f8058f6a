import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newWebhookSecret } from '../secrets.ts'
import { rotated, signatureHeaders } from './webhook.ts'

const hour = 3_600_000
const now = Date.now()
const message = { id: 'msg_1', body: '{"a":1}' }
const [first, second, third] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()]
const signs = (secret: string, headers: Record<string, string>) => {
  try {
    new Webhook(secret).verify(message.body, headers)
    return true
  } catch {
    return false
  }
}

test('for a day after a rotation the old secret signs beside the new one, then no longer', () => {
  const settings = rotated({ url: 'x', secret: first }, second, now - 23 * hour)
  expect(settings.secret).toBe(second)
  expect([first, second, third].map(secret => signs(secret, signatureHeaders(settings, message, now)))).toEqual([
    true,
    true,
    false,
  ])
  const later = rotated({ url: 'x', secret: first }, second, now - 24 * hour)
  expect([first, second].map(secret => signs(secret, signatureHeaders(later, message, now)))).toEqual([false, true])
})

test('of many rotations in a day the latest sign, and what has run out is forgotten', () => {
  let settings = rotated({ url: 'x', secret: first }, second, now - 25 * hour)
  for (let count = 0; count < 9; count++) settings = rotated(settings, newWebhookSecret(), now)
  expect(settings.previous).toHaveLength(4)
  expect(JSON.stringify(settings)).not.toContain(first)
})
