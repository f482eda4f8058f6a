import type { AddressPolicy } from '@watchpost/checks'
import { fitted, type Notice } from '../domain/notice.ts'
import type { ChannelKind, Delivered } from './channel.ts'
import { guardedAgent } from './connect.ts'
import { type Answer, jsonOf, post } from './post.ts'

/** Posts to a webhook of Discord. */
export function createDiscord(policy: AddressPolicy): ChannelKind<{ url: string }> {
  const dispatcher = guardedAgent(policy, 10_000)
  return {
    close: () => dispatcher.destroy(),
    async deliver({ url }, { notice }, now, signal) {
      const body = JSON.stringify(discordMessage(notice))
      const answer = await post(dispatcher, url, body, {}, { now, signal, wantsText: true })
      return 'failed' in answer ? answer.failed : judged(answer)
    },
  }
}

const colours = { bad: 0xd92d20, good: 0x16a34a, neutral: 0x2563eb }

/** Whatever could begin markup, a link or a mention stands for itself behind a backslash. */
const escaped = (char: string) => (/[\\`*_~|<>#[\]():@+.-]/.test(char) ? `\\${char}` : char)

/** One embed; nobody is mentioned, whatever the text says. */
export function discordMessage({ tone, title, text, facts, link }: Notice) {
  return {
    embeds: [
      {
        title: fitted(title, 256, escaped),
        ...(text === null ? {} : { description: fitted(text, 2000, escaped) }),
        ...(link === null || !isPublic(link) ? {} : { url: link }),
        color: colours[tone],
        fields: facts.slice(0, 10).map(({ label, value }) => ({
          name: label,
          value: fitted(value, 300, escaped),
          inline: value.length < 40,
        })),
      },
    ],
    allowed_mentions: { parse: [] },
  }
}

/** Discord refuses a whole message for a link to a host like `localhost`. */
const isPublic = (link: string): boolean => new URL(link).hostname.includes('.')

/** 401 and 404: the webhook was deleted, or its token is another by now. */
function judged({ status, retryAfterS, text }: Answer): Delivered {
  if (status >= 200 && status < 300) return { ok: true, status }
  const error = `Discord answered ${status}`
  if ([401, 404, 410].includes(status)) return { ok: false, status, error, permanent: true, disable: true }
  if (status === 400 || status === 403) return { ok: false, status, error, permanent: true }
  const asked = Number(jsonOf(text).retry_after)
  return { ok: false, status, error, retryAfterS: asked > 0 ? asked : retryAfterS }
}
