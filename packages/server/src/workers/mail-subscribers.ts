import type { IncidentCreated, IncidentUpdated } from '@watchpost/contract'
import { wordsFor } from '@watchpost/status-page'
import { type DueMail, dueMails, leaseMail, postponeMail, settleMail } from '@watchpost/store'
import { createTransport } from 'nodemailer'
import { sealedFor } from '../api/subscribers.ts'
import { judged, optionsOf, timeoutMs } from '../channels/email.ts'
import type { Context } from '../context.ts'
import { confirmLetter, incidentLetter, type Recipient } from '../domain/incident-mail.ts'
import { pageUrl } from '../domain/page-path.ts'
import { nextAttemptAt } from '../domain/retry.ts'
import { Repeating } from './repeating.ts'

const everyMs = 1000
const batch = 100
/** Messages on the way at a time. */
const atOnce = 4
/** How long one attempt may hold a message; longer than any attempt takes. */
const leaseMs = 60_000
/** News of an incident that is a day old is none. */
const mostAttempts = 10

/** Mails subscribers of status pages; where no mail server is set there is nothing to do. */
export function subscriberMails(context: Context): Repeating {
  const { mailServer } = context.config
  const transport = mailServer && createTransport(optionsOf(mailServer))

  const send = async (mail: DueMail, signal: AbortSignal): Promise<void> => {
    const { db, log } = context
    const key = { team_id: mail.team_id, subscriber_id: mail.subscriber_id, outbox_id: mail.outbox_id }
    const until = context.now() + leaseMs
    const [[leased] = []] = await db.commit([{ query: leaseMail, params: { ...key, seen: mail.next_at, until } }])
    if (leased === undefined || transport === undefined) return
    const written = write(context, mail)
    if (written === undefined) {
      await db.commit([{ query: settleMail, params: key }])
      return
    }
    try {
      await transport.sendMail({
        from: mailServer?.from,
        to: { name: '', address: mail.email },
        messageId: `<${mail.outbox_id}.${mail.team_id}.${mail.subscriber_id}.${mail.next_at}@watchpost>`,
        ...written,
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      } as Parameters<typeof transport.sendMail>[0])
      await db.commit([{ query: settleMail, params: key }])
    } catch (error) {
      if (signal.aborted) return
      const answer = judged(error)
      const attempts = mail.attempts + 1
      const permanent = !answer.ok && answer.permanent === true
      const again = permanent || attempts >= mostAttempts ? null : nextAttemptAt(attempts, context.now(), Math.random())
      log.warn({ ...key, attempts, error: answer.ok ? null : answer.error }, 'a subscriber was not told')
      const step =
        again === null
          ? { query: settleMail, params: key }
          : { query: postponeMail, params: { ...key, next_at: Math.round(again) } }
      await db.commit([step])
    }
  }

  const repeating = new Repeating('messages to subscribers', everyMs, context.log, async signal => {
    if (transport === undefined) return
    for (;;) {
      const due = await context.db.all(dueMails, { now: context.now(), limit: batch })
      const queue = due.values()
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (const mail of queue) if (!signal.aborted) await send(mail, signal)
        }),
      )
      if (due.length < batch || signal.aborted) return
    }
  })
  const stop = repeating.stop.bind(repeating)
  repeating.stop = async () => {
    await stop()
    transport?.close()
  }
  return repeating
}

/** Undefined where what it was about is forgotten. */
function write({ keyring, siteUrl }: Context, mail: DueMail) {
  const token = keyring.open(mail.token, sealedFor(mail.team_id, mail.subscriber_id))
  const page = pageUrl(siteUrl(), mail)
  const link = new URL(`/status/${mail.slug}/subscriptions/${token}`, page).href
  const { words } = wordsFor(mail.language)
  const recipient: Recipient = { title: mail.title, page, link, words }
  const headers = { 'Auto-Submitted': 'auto-generated' }
  if (mail.outbox_id === 'confirm') return { ...confirmLetter(recipient), headers }
  if (mail.body === null) return undefined
  const event = JSON.parse(mail.body) as IncidentCreated | IncidentUpdated
  return {
    ...incidentLetter(event, recipient),
    headers: {
      ...headers,
      'List-Unsubscribe': `<${link}/leave>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}
