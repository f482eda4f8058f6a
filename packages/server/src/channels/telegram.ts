import type { AddressPolicy } from '@watchpost/checks'
import { fitted, htmlChar, type Notice } from '../domain/notice.ts'
import type { ChannelKind, Delivered } from './channel.ts'
import { guardedAgent } from './connect.ts'
import { type Answer, jsonOf, post } from './post.ts'

export interface TelegramSettings {
  bot_token: string
  chat_id: string
}

/** Sends through a bot. @param base address of the Bot API */
export function createTelegram(policy: AddressPolicy, base: string): ChannelKind<TelegramSettings> {
  const dispatcher = guardedAgent(policy, 10_000)
  const send = (settings: TelegramSettings, notice: Notice, now: number, signal: AbortSignal) => {
    const body = JSON.stringify({ chat_id: settings.chat_id, ...telegramMessage(notice) })
    // The token is in the address, which therefore is neither logged nor shown.
    const url = `${base}/bot${settings.bot_token}/sendMessage`
    return post(dispatcher, url, body, {}, { now, signal, wantsText: true })
  }
  return {
    close: () => dispatcher.destroy(),
    async deliver(settings, { notice }, now, signal) {
      const answer = await send(settings, notice, now, signal)
      if ('failed' in answer) return answer.failed
      const moved = movedTo(answer)
      if (moved === undefined) return judged(answer)
      // A group that became a supergroup has another number from then on.
      const there = { ...settings, chat_id: moved }
      const second = await send(there, notice, now, signal)
      return { ...('failed' in second ? second.failed : judged(second)), settings: there }
    },
  }
}

const signs = { bad: '🔴', good: '🟢', neutral: '🔵' }

/** Telegram's small HTML, everything in it escaped. */
export function telegramMessage({ tone, title, text, facts, link }: Notice) {
  const lines = [
    `${signs[tone]} <b>${fitted(title, 400, htmlChar)}</b>`,
    ...(text === null ? [] : [fitted(text, 2000, htmlChar)]),
    ...facts.slice(0, 10).map(({ label, value }) => `${label}: ${fitted(value, 1000, htmlChar)}`),
    ...(link === null ? [] : [`<a href="${fitted(link, 500, htmlChar)}">Status page</a>`]),
  ]
  return { text: lines.join('\n'), parse_mode: 'HTML', link_preview_options: { is_disabled: true } }
}

function parametersOf(text: string): Record<string, unknown> {
  const { parameters } = jsonOf(text)
  return typeof parameters === 'object' && parameters !== null ? (parameters as Record<string, unknown>) : {}
}

function movedTo({ status, text }: Answer): string | undefined {
  const id = status === 400 ? parametersOf(text).migrate_to_chat_id : undefined
  return /^-?\d{1,20}$/.test(String(id)) ? String(id) : undefined
}

/** What Telegram says of chats that are gone, or do not want the bot. */
const gone = /chat not found|user is deactivated|bot was blocked|bot was kicked|group chat was deactivated/i

function judged({ status, retryAfterS, text }: Answer): Delivered {
  if (status >= 200 && status < 300) return { ok: true, status }
  const said = String(jsonOf(text).description ?? '').slice(0, 200)
  const error = `Telegram answered ${status}${said === '' ? '' : `: ${said}`}`
  // 401 and 404: there is no bot with this token.
  if ([401, 403, 404].includes(status) || (status === 400 && gone.test(said))) {
    return { ok: false, status, error, permanent: true, disable: true }
  }
  if (status === 400) return { ok: false, status, error, permanent: true }
  const asked = Number(parametersOf(text).retry_after)
  return { ok: false, status, error, retryAfterS: asked > 0 ? asked : retryAfterS }
}
