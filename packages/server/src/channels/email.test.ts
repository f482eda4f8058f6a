import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MailServer } from '../config.ts'
import { Mailbox } from '../testing/mailbox.ts'
import type { Message } from './channel.ts'
import { createEmail, mailOf } from './email.ts'

const mailbox = new Mailbox()
let server: MailServer
beforeAll(async () => {
  const port = await mailbox.start()
  const from = 'Watchpost <alerts@example.com>'
  server = { host: '127.0.0.1', port, secure: false, user: 'u', password: 'sesame', from }
})
afterAll(() => mailbox.stop())
beforeEach(() => {
  mailbox.mails.length = 0
  mailbox.refused.clear()
})

const message: Message = {
  id: 'msg_1',
  event: 'monitor.status_changed',
  body: '{}',
  notice: {
    tone: 'bad',
    title: 'Shop <b> is down',
    text: null,
    facts: [{ label: 'Reason', value: '<script>alert(1)</script>' }],
    link: 'https://a.example/status/x',
  },
}

async function send(to: string[], by: MailServer | undefined = server) {
  const kind = createEmail(by)
  try {
    return await kind.deliver({ to }, message, 0, new AbortController().signal)
  } finally {
    await kind.close()
  }
}

test('a mail goes to all of them, logged in, under an id that stays', async () => {
  expect(await send(['a@example.com', 'b@example.com'])).toEqual({ ok: true })
  expect(mailbox.mails).toMatchObject([{ to: ['a@example.com', 'b@example.com'], user: 'u' }])
  const [{ text = '' } = {}] = mailbox.mails
  expect(text).toMatch(/^Message-ID: <msg_1@watchpost>\r$/im)
  expect(text).toMatch(/^Auto-Submitted: auto-generated\r$/im)
  expect(text).toMatch(/^From: Watchpost <alerts@example.com>\r$/im)
  expect(text).toMatch(/^Subject: Shop <b> is down\r$/im)
})

test('what the text says is not HTML', () => {
  const { text, html } = mailOf(message.notice)
  expect(text).toBe('Shop <b> is down\n\nReason: <script>alert(1)</script>\n\nhttps://a.example/status/x\n')
  expect(html).not.toMatch(/<script|<b>/)
  expect(html).toContain('&lt;script&gt;')
})

test('a title with line breaks makes no headers', async () => {
  const { title } = { title: 'x\r\nBcc: evil@example.com' }
  const kind = createEmail(server)
  await kind.deliver(
    { to: ['a@example.com'] },
    { ...message, notice: { ...message.notice, title } },
    0,
    AbortSignal.any([]),
  )
  await kind.close()
  expect(mailbox.mails).toMatchObject([{ to: ['a@example.com'] }])
  const [head] = mailbox.mails[0]?.text.split('\r\n\r\n') ?? []
  expect(head).not.toMatch(/^Bcc:/im)
})

test('a refusal for good is not tried again, one for now is', async () => {
  mailbox.refused.set('gone@example.com', 550)
  mailbox.refused.set('full@example.com', 452)
  expect(await send(['gone@example.com'])).toEqual({
    ok: false,
    error: 'The mail server refused the message: 550',
    permanent: true,
  })
  expect(await send(['full@example.com'])).toEqual({ ok: false, error: 'The mail server refused the message: 452' })
  expect(await send(['gone@example.com', 'a@example.com'])).toEqual({ ok: true })
})

test('a wrong password is the operator’s to mend, and tried again', async () => {
  expect(await send(['a@example.com'], { ...server, password: 'wrong' })).toEqual({
    ok: false,
    error: 'The mail server could not be used: 535',
  })
})

test('no mail server, or one that is away', async () => {
  expect(await send(['a@example.com'], { ...server, port: 1 })).toMatchObject({ ok: false })
  expect((await send(['a@example.com'], { ...server, port: 1 })) as object).not.toHaveProperty('permanent')
  const kind = createEmail(undefined)
  expect(await kind.deliver({ to: ['a@example.com'] }, message, 0, AbortSignal.any([]))).toMatchObject({
    ok: false,
    error: expect.stringContaining('WATCHPOST_SMTP_URL'),
  })
})
