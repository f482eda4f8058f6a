import type { IncidentCreated, IncidentUpdated } from '@watchpost/contract'
import type { Words } from '@watchpost/status-page'
import { fitted, htmlChar } from './notice.ts'

type Event = IncidentCreated | IncidentUpdated

/** Whether a subscriber is told: of a new incident, of what was said of it, and of where it stands now. */
export function concernsSubscribers({ event, data }: { event: string; data: object }): boolean {
  if (event === 'incident.created') return true
  if (event !== 'incident.updated') return false
  const { update, status, old_status } = data as IncidentUpdated['data']
  return update !== null || status !== old_status
}

/** What varies from one subscriber to the next. */
export interface Recipient {
  /** Title of the page they subscribed to. */
  title: string
  /** Whole address of the page. */
  page: string
  /** Where they confirm, and where they leave. */
  link: string
  words: Words
}

/** A message in plain text and as HTML. */
export interface Letter {
  subject: string
  text: string
  html: string
}

/** Asks somebody whether it was them who subscribed. */
export function confirmLetter({ title, link, words }: Recipient): Letter {
  return letter(words, `${title}: ${words.confirmHeading}`, [words.mailConfirm(title)], link, [words.mailIgnore])
}

/** Tells a subscriber of an incident, or what is new of it. */
export function incidentLetter({ event, data }: Event, { title, page, link, words }: Recipient): Letter {
  const message = event === 'incident.updated' ? (data as IncidentUpdated['data']).update?.message : undefined
  const status = words.incidentStatus[data.status]
  const said = [data.title, `${status} · ${words.severity[data.severity]}`, ...(message === undefined ? [] : [message])]
  const footer = [words.mailWhy(title), link]
  return letter(words, `[${title}] ${status}: ${data.title}`, said, `${page}#incident-${data.incident_id}`, footer)
}

function letter(words: Words, subject: string, above: string[], link: string, below: string[]): Letter {
  const escaped = (value: string) => fitted(value, 20_000, htmlChar)
  const anchor = (url: string) => `<a href="${escaped(url)}">${escaped(url)}</a>`
  const paragraph = (value: string) =>
    `<p style="white-space:pre-line">${/^https?:\/\/\S+$/.test(value) ? anchor(value) : escaped(value)}</p>`
  const parts = [...above, link, ...below]
  return {
    // One line: nothing that anybody wrote may become a header.
    subject: fitted(subject.replace(/\p{Cc}+/gu, ' '), 200),
    text: `${[...above, link, ['-- ', ...below].join('\n')].join('\n\n')}\n`,
    html: `<div lang="${words.locale}" dir="${words.direction}" style="font:15px/1.5 sans-serif">${parts.map(paragraph).join('')}</div>`,
  }
}
