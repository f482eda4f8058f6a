import { createHmac } from 'node:crypto'
import type { AddressPolicy } from '@watchpost/checks'
import type { ChannelKind, Delivered, Message } from './channel.ts'
import { guardedAgent } from './connect.ts'
import { type Answer, post } from './post.ts'

export interface WebhookSettings {
  url: string
  /** Standard Webhooks secret, `whsec_…`. */
  secret: string
  /** Secrets before it that still sign, each until its time (epoch ms). */
  previous?: { secret: string; until: number }[]
}

/** Posts the event with the headers of Standard Webhooks 1.0; only 2xx counts, redirects are not followed. */
export function createWebhook(policy: AddressPolicy): ChannelKind<WebhookSettings> {
  const dispatcher = guardedAgent(policy, 10_000)
  return {
    close: () => dispatcher.destroy(),
    async deliver(settings, message, now, signal) {
      const headers = { 'user-agent': 'Watchpost-Webhooks/1', ...signatureHeaders(settings, message, now) }
      const answer = await post(dispatcher, settings.url, message.body, headers, { now, signal })
      return 'failed' in answer ? answer.failed : judged(answer)
    },
  }
}

/** `webhook-id`, `webhook-timestamp` (of this attempt) and `webhook-signature` over `id.timestamp.body`. */
export function signatureHeaders(
  { secret, previous = [] }: Pick<WebhookSettings, 'secret' | 'previous'>,
  message: Pick<Message, 'id' | 'body'>,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const sign = (by: string) => {
    const key = Buffer.from(by.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${message.id}.${timestamp}.${message.body}`).digest('base64')}`
  }
  const secrets = [secret, ...previous.filter(({ until }) => until > now).map(old => old.secret)]
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  }
}

const overlapMs = 24 * 3_600_000
/** More would make the header longer than servers take. */
const mostPrevious = 4

/** With a new secret; the old one signs beside it for a day, so that the receiver can change over. */
export function rotated(settings: WebhookSettings, secret: string, now: number): WebhookSettings {
  const still = (settings.previous ?? []).filter(({ until }) => until > now)
  const previous = [{ secret: settings.secret, until: now + overlapMs }, ...still].slice(0, mostPrevious)
  return { url: settings.url, secret, previous }
}

/** Standard Webhooks: 410 asks never to be called again; anything else but 2xx is tried again. */
function judged({ status, retryAfterS }: Answer): Delivered {
  if (status >= 200 && status < 300) return { ok: true, status }
  const error = `The receiver answered ${status}`
  if (status === 410) return { ok: false, status, error, permanent: true, disable: true }
  return { ok: false, status, error, retryAfterS }
}
