import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Notice } from '../domain/notice.ts'
import { ChatService } from '../testing/chat-service.ts'
import type { ChannelKind, Message } from './channel.ts'
import { createDiscord, discordMessage } from './discord.ts'
import { createSlack, slackMessage } from './slack.ts'
import { createTelegram, telegramMessage } from './telegram.ts'

const service = new ChatService()
let base: string
beforeAll(async () => {
  base = await service.start()
})
afterAll(() => service.stop())
beforeEach(() => {
  service.posted.length = 0
  service.answers = [{ status: 200 }]
})

const notice: Notice = {
  tone: 'bad',
  title: 'Shop is down',
  text: null,
  facts: [{ label: 'Reason', value: 'refused' }],
  link: 'https://a.example/status/x?a=1&b=2',
}
const message: Message = { id: 'msg_1', event: 'monitor.status_changed', body: '{}', notice }
const nasty = '<!channel> <@U1> @everyone [x](https://evil.example) *b* `c` <b>"d"</b> & https://e.example'
const hostile: Notice = { ...notice, title: nasty, text: nasty, facts: [{ label: 'Reason', value: nasty }] }
const huge: Notice = {
  ...notice,
  title: '<'.repeat(400),
  text: '&'.repeat(9000),
  facts: Array.from({ length: 10 }, (_, index) => ({ label: `L${index}`, value: '<'.repeat(5000) })),
}
const policy = { private: 'allow' } as const

/** Sends one message, and says what the channel made of the answer. */
async function send<S extends object>(kind: ChannelKind<S>, settings: S) {
  try {
    return await kind.deliver(settings, message, Date.parse('2026-11-21T09:30:00Z'), new AbortController().signal)
  } finally {
    await kind.close()
  }
}

const answered = (status: number, body = '', headers: Record<string, string> = {}) => {
  service.answers = [{ status, body, headers }]
}

describe('slack', () => {
  const deliver = () => send(createSlack(policy), { url: `${base}/services/T/B/x` })

  test('a message has a header, the facts and the page', async () => {
    answered(200, 'ok')
    expect(await deliver()).toEqual({ ok: true, status: 200 })
    expect(service.posted).toEqual([{ path: '/services/T/B/x', body: slackMessage(notice) }])
    expect(slackMessage(notice).text).toBe('Shop is down\nReason: refused')
    expect(JSON.stringify(slackMessage(notice).blocks)).toContain(
      '<https://a.example/status/x?a=1&amp;b=2|Status page>',
    )
  })

  test('nothing in it mentions anybody or is markup', () => {
    const { text, blocks } = slackMessage(hostile)
    expect(text).not.toMatch(/[<>]/)
    const texts = blocks.flatMap(block => {
      const { text: one, fields = [] } = block as { text?: { type: string; text: string }; fields?: never[] }
      return [...(one === undefined ? [] : [one]), ...fields] as { type: string; text: string }[]
    })
    expect(texts).toHaveLength(3)
    for (const part of texts) {
      expect(part.type).toBe('plain_text')
      expect(part.text).not.toMatch(/[<>]/)
    }
  })

  test('it keeps to the limits', () => {
    const { text, blocks } = slackMessage(huge)
    expect(text.length).toBeLessThanOrEqual(3000)
    const [header, section, facts] = blocks as { text: { text: string }; fields: { text: string }[] }[]
    expect(header?.text.text.length).toBeLessThanOrEqual(150)
    expect(section?.text.text.length).toBeLessThanOrEqual(3000)
    for (const field of facts?.fields ?? []) expect(field.text.length).toBeLessThanOrEqual(2000)
  })

  test.each([
    [429, '', { 'retry-after': '30' }, { retryAfterS: 30 }],
    [500, 'server_error', {}, { retryAfterS: 0 }],
    [400, 'invalid_payload', {}, { permanent: true }],
    [400, 'invalid_token', {}, { permanent: true, disable: true }],
    [403, 'action_prohibited', {}, { permanent: true }],
    [404, 'no_service', {}, { permanent: true, disable: true }],
    [410, 'channel_is_archived', {}, { permanent: true, disable: true }],
  ])('%i %s', async (status, body, headers, verdict) => {
    answered(status, body, headers as Record<string, string>)
    const error = `Slack answered ${status}${body === '' ? '' : `: ${body}`}`
    expect(await deliver()).toEqual({ ok: false, status, error, ...verdict })
  })

  test('what a stranger answers is not repeated', async () => {
    answered(400, '<html>secret page</html>')
    expect(await deliver()).toMatchObject({ error: 'Slack answered 400' })
  })
})

describe('discord', () => {
  const deliver = () => send(createDiscord(policy), { url: `${base}/api/webhooks/1/x` })

  test('a message is one embed, and mentions nobody', async () => {
    answered(204)
    expect(await deliver()).toEqual({ ok: true, status: 204 })
    expect(service.posted).toEqual([{ path: '/api/webhooks/1/x', body: discordMessage(notice) }])
    expect(discordMessage(notice)).toEqual({
      embeds: [
        {
          title: 'Shop is down',
          url: 'https://a.example/status/x?a=1&b=2',
          color: 0xd92d20,
          fields: [{ name: 'Reason', value: 'refused', inline: true }],
        },
      ],
      allowed_mentions: { parse: [] },
    })
  })

  test('nothing in it is markup or a mention', () => {
    const [embed] = discordMessage(hostile).embeds
    for (const text of [embed?.title, embed?.description, embed?.fields[0]?.value]) {
      expect(text).not.toMatch(/(?<!\\)[<>*`[\]()_@:]/)
    }
  })

  test('a link that it would refuse is left out', () => {
    expect(discordMessage({ ...notice, link: 'http://localhost:8080/status/x' }).embeds[0]).not.toHaveProperty('url')
  })

  test('it keeps to the limits, 6,000 characters in all', () => {
    const [embed] = discordMessage(huge).embeds
    expect(embed?.title.length).toBeLessThanOrEqual(256)
    for (const field of embed?.fields ?? []) expect(field.value.length).toBeLessThanOrEqual(1024)
    const all = [embed?.title, embed?.description, ...(embed?.fields ?? []).flatMap(({ name, value }) => [name, value])]
    expect(all.join('').length).toBeLessThanOrEqual(6000)
  })

  test.each([
    [429, '{"retry_after":64.57,"global":false}', { retryAfterS: 64.57 }],
    [502, '', { retryAfterS: 0 }],
    [400, '{"code":50006}', { permanent: true }],
    [401, '{"code":50027}', { permanent: true, disable: true }],
    [404, '{"code":10015}', { permanent: true, disable: true }],
  ])('%i %s', async (status, body, verdict) => {
    answered(status, body)
    expect(await deliver()).toEqual({ ok: false, status, error: `Discord answered ${status}`, ...verdict })
  })
})

describe('telegram', () => {
  const settings = { bot_token: '123:abc', chat_id: '-5' }
  const deliver = () => send(createTelegram(policy, base), settings)

  test('a message goes to the chat through the bot', async () => {
    answered(200, '{"ok":true}')
    expect(await deliver()).toEqual({ ok: true, status: 200 })
    expect(service.posted).toEqual([
      { path: '/bot123:abc/sendMessage', body: { chat_id: '-5', ...telegramMessage(notice) } },
    ])
    expect(telegramMessage(notice)).toEqual({
      text: '🔴 <b>Shop is down</b>\nReason: refused\n<a href="https://a.example/status/x?a=1&amp;b=2">Status page</a>',
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    })
  })

  test('the only markup in it is ours', () => {
    const tags = [...telegramMessage(hostile).text.matchAll(/<[^>]*>/g)].map(([tag]) => tag)
    expect(tags).toEqual(['<b>', '</b>', '<a href="https://a.example/status/x?a=1&amp;b=2">', '</a>'])
  })

  test('it keeps to the limit, which counts what is read', () => {
    const read = telegramMessage({ ...huge, facts: huge.facts.slice(0, 4) }).text.replace(/<[^>]*>/g, '')
    expect(read.replace(/&\w+;/g, '.').length).toBeLessThanOrEqual(4096)
  })

  test('a group that became a supergroup is followed', async () => {
    service.answers = [
      {
        status: 400,
        body: '{"description":"Bad Request: group chat was upgraded","parameters":{"migrate_to_chat_id":-1009}}',
      },
      { status: 200, body: '{"ok":true}' },
    ]
    expect(await deliver()).toEqual({ ok: true, status: 200, settings: { bot_token: '123:abc', chat_id: '-1009' } })
    expect(service.posted.map(({ body }) => body.chat_id)).toEqual(['-5', '-1009'])
  })

  test.each([
    [429, 'Too Many Requests: retry after 35', '"retry_after":35', { retryAfterS: 35 }],
    [500, 'Internal Server Error', '', { retryAfterS: 0 }],
    [400, "Bad Request: can't parse entities", '', { permanent: true }],
    [400, 'Bad Request: chat not found', '', { permanent: true, disable: true }],
    [401, 'Unauthorized', '', { permanent: true, disable: true }],
    [403, 'Forbidden: bot was blocked by the user', '', { permanent: true, disable: true }],
    [404, 'Not Found', '', { permanent: true, disable: true }],
  ])('%i %s', async (status, description, parameters, verdict) => {
    answered(status, `{"ok":false,"description":"${description}","parameters":{${parameters}}}`)
    expect(await deliver()).toEqual({
      ok: false,
      status,
      error: `Telegram answered ${status}: ${description}`,
      ...verdict,
    })
  })

  test('what goes wrong does not show the token', async () => {
    const kind = createTelegram({ private: 'deny' }, base)
    const answer = await send(kind, settings)
    expect(answer).toMatchObject({ ok: false, error: expect.stringContaining('a private or reserved address') })
    expect(JSON.stringify(answer)).not.toContain('abc')
  })
})

test.each(['slack', 'discord'] as const)('%s does not go to private addresses where that is denied', async type => {
  const kind = { slack: createSlack, discord: createDiscord }[type]({ private: 'deny' })
  expect(await send(kind, { url: `${base}/x` })).toMatchObject({
    ok: false,
    error: expect.stringContaining('a private or reserved address'),
  })
  expect(service.posted).toEqual([])
})
