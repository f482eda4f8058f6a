import { createTransport } from 'nodemailer'
import type { MailServer } from '../config.ts'
import { fitted, htmlChar, type Notice } from '../domain/notice.ts'
import type { ChannelKind, Delivered } from './channel.ts'

/** Mails through the instance's server. @param server undefined where none is set */
export function createEmail(server: MailServer | undefined): ChannelKind<{ to: string[] }> {
  const transport = server && createTransport(optionsOf(server))
  return {
    async close() {
      transport?.close()
    },
    async deliver({ to }, { id, notice }, _now, signal) {
      if (transport === undefined || server === undefined) return { ok: false, error: noServer }
      try {
        await transport.sendMail({
          from: server.from,
          to: to.map(address => ({ name: '', address })),
          // The same at every attempt: mailboxes know a repeat by it.
          messageId: `<${id}@watchpost>`,
          ...mailOf(notice),
          headers: { 'Auto-Submitted': 'auto-generated' },
          disableFileAccess: true,
          disableUrlAccess: true,
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        })
        return { ok: true }
      } catch (error) {
        return judged(error)
      }
    },
  }
}

/** Of one mail, however many steps the server takes slowly; below the lease of a delivery. */
export const timeoutMs = 30_000

export const noServer = 'No mail server is set: WATCHPOST_SMTP_URL and WATCHPOST_MAIL_FROM'

/** How the instance's mail server is spoken to. */
export function optionsOf({ host, port, secure, user, password }: MailServer) {
  return {
    pool: true as const,
    maxConnections: 2,
    host,
    port,
    secure,
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 15_000,
    dnsTimeout: 10_000,
  }
}

const colours = { bad: '#d92d20', good: '#16a34a', neutral: '#2563eb' }

/** Subject, and the same words as text and as HTML. */
export function mailOf({ tone, title, text, facts, link }: Notice) {
  const written = text === null ? null : fitted(text, 10_000)
  const lines = facts.map(({ label, value }) => `${label}: ${fitted(value, 2000)}`)
  const parts = [title, written, lines.join('\n'), link].filter(part => part !== null && part !== '')
  const escaped = (value: string) => fitted(value, 50_000, htmlChar)
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><td style="padding:2px 12px 2px 0;color:#555">${escaped(label)}</td><td>${escaped(fitted(value, 2000))}</td></tr>`,
  )
  const html = [
    `<h2 style="font:600 18px sans-serif;margin:0 0 12px;padding-left:10px;border-left:4px solid ${colours[tone]}">${escaped(title)}</h2>`,
    ...(written === null ? [] : [`<p style="font:14px sans-serif;white-space:pre-wrap">${escaped(written)}</p>`]),
    ...(rows.length === 0
      ? []
      : [`<table style="font:14px sans-serif;border-collapse:collapse">${rows.join('')}</table>`]),
    ...(link === null ? [] : [`<p style="font:14px sans-serif"><a href="${escaped(link)}">Status page</a></p>`]),
  ]
  return { subject: fitted(title, 200), text: `${parts.join('\n\n')}\n`, html: html.join('\n') }
}

interface MailError extends Error {
  code?: string
  responseCode?: number
}

/** 5xx about addresses or content will not change; one about the log-in is the operator's to mend, and then goes on. */
export function judged(error: unknown): Delivered {
  const { code, responseCode, name } = error as MailError
  if (name === 'TimeoutError') return { ok: false, error: 'No answer in time' }
  const ofMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  const permanent = ofMessage && responseCode !== undefined && responseCode >= 500
  const said = responseCode === undefined ? (code ?? name) : String(responseCode)
  const what = ofMessage ? 'The mail server refused the message' : 'The mail server could not be used'
  return { ok: false, error: `${what}: ${said}`, ...(permanent ? { permanent } : {}) }
}
