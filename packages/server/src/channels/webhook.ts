import { createHmac } from 'node:crypto'
import type { AddressPolicy } from '@watchpost/checks'
import { request } from 'undici'
import type { ChannelKind, Delivered, Message } from './channel.ts'
import { guardedAgent } from './connect.ts'

const timeoutMs = 15_000

/** Posts the event with the headers of Standard Webhooks 1.0; only 2xx counts, redirects are not followed. */
export function createWebhook(policy: AddressPolicy): ChannelKind {
  const dispatcher = guardedAgent(policy, 10_000)
  return {
    close: () => dispatcher.destroy(),
    async deliver(settings, message, now, signal) {
      try {
        const response = await request(settings.url, {
          method: 'POST',
          dispatcher,
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
          headers: {
            'content-type': 'application/json',
            'user-agent': 'Watchpost-Webhooks/1',
            ...signatureHeaders(settings.secret, message, now),
          },
          body: message.body,
        })
        // What a receiver says is not kept, nor waited for; reading it lets the connection end cleanly.
        response.body.dump({ limit: 65_536 }).catch(() => undefined)
        return judged(response.statusCode, response.headers['retry-after'], now)
      } catch (error) {
        return { ok: false, error: sentence(error) }
      }
    },
  }
}

/** `webhook-id`, `webhook-timestamp` (of this attempt) and `webhook-signature` over `id.timestamp.body`. */
export function signatureHeaders(secret: string, message: Message, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${message.id}.${timestamp}.${message.body}`).digest('base64')
  return { 'webhook-id': message.id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

/** Standard Webhooks: 410 asks never to be called again; anything else but 2xx is tried again. */
function judged(status: number, retryAfter: string | string[] | undefined, now: number): Delivered {
  if (status >= 200 && status < 300) return { ok: true }
  const error = `The receiver answered ${status}`
  if (status === 410) return { ok: false, error, permanent: true, disable: true }
  const seconds = secondsOf(String(retryAfter), now)
  return { ok: false, error, ...(seconds > 0 ? { retryAfterS: seconds } : {}) }
}

/** Retry-After is a number of seconds or a date; anything else is 0. */
function secondsOf(text: string, now: number): number {
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isNaN(seconds) ? 0 : seconds
}

/** Without the address: it may hold a secret, and this is shown. */
function sentence(error: unknown): string {
  const { code, message, name } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError') return `No answer within ${timeoutMs / 1000} s`
  return code === undefined ? message : `The connection failed: ${code}`
}
