import type { AddressPolicy } from '@watchpost/checks'
import { fitted, htmlChar, type Notice } from '../domain/notice.ts'
import type { ChannelKind, Delivered } from './channel.ts'
import { guardedAgent } from './connect.ts'
import { type Answer, post } from './post.ts'

/** Posts to an incoming webhook of Slack, or of what speaks its language. */
export function createSlack(policy: AddressPolicy): ChannelKind<{ url: string }> {
  const dispatcher = guardedAgent(policy, 10_000)
  return {
    close: () => dispatcher.destroy(),
    async deliver({ url }, { notice }, now, signal) {
      const body = JSON.stringify(slackMessage(notice))
      const answer = await post(dispatcher, url, body, {}, { now, signal, wantsText: true })
      return 'failed' in answer ? answer.failed : judged(answer)
    },
  }
}

/** Only `&`, `<` and `>` mean anything to Slack in plain text; links and mentions are made of them. */
const escaped = (char: string) => ('&<>'.includes(char) ? htmlChar(char) : char)
const plain = (text: string, longest: number) => ({
  type: 'plain_text',
  text: fitted(text, longest, escaped),
  emoji: false,
})
const signs = { bad: '🔴', good: '🟢', neutral: '🔵' }

/** A header, what somebody wrote, and the facts in two columns. */
export function slackMessage({ tone, title, text, facts, link }: Notice) {
  const blocks: object[] = [{ type: 'header', text: plain(`${signs[tone]} ${title}`, 150) }]
  if (text !== null) blocks.push({ type: 'section', text: plain(text, 3000) })
  const fields = facts.map(({ label, value }) => plain(`${label}\n${value}`, 2000))
  if (fields.length > 0) blocks.push({ type: 'section', fields: fields.slice(0, 10) })
  if (link !== null) {
    const linked = { type: 'mrkdwn', text: `<${fitted(link, 2000, escaped)}|Status page>`, verbatim: true }
    blocks.push({ type: 'context', elements: [linked] })
  }
  // What notifications show.
  const summary = [title, ...facts.map(({ label, value }) => `${label}: ${value}`)].join('\n')
  return { text: fitted(summary, 3000, escaped), blocks, unfurl_links: false }
}

/** Slack answers in words; those that say the webhook is gone will not change. */
function judged({ status, retryAfterS, text }: Answer): Delivered {
  if (status >= 200 && status < 300) return { ok: true, status }
  const word = /^[a-z_]{1,60}$/.test(text.trim()) ? `: ${text.trim()}` : ''
  const error = `Slack answered ${status}${word}`
  const gone = status === 404 || status === 410 || (status === 400 && word === ': invalid_token')
  if (gone) return { ok: false, status, error, permanent: true, disable: true }
  if (status === 400 || status === 403) return { ok: false, status, error, permanent: true }
  return { ok: false, status, error, retryAfterS }
}
