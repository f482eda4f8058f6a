import { hash } from 'node:crypto'
import { escapeHtml } from './escape.ts'
import { type Html, html } from './html.ts'
import { own } from './incidents.ts'
import { linked } from './linked.ts'
import { weekBefore } from './maintenance.ts'
import type { ShownPage } from './shown-page.ts'
import { moment, period, type View, viewOf, written } from './view.ts'

export const feedKinds = ['rss', 'atom', 'json'] as const
export type FeedKind = (typeof feedKinds)[number]

export const feedName: Record<FeedKind, { title: string; media: string }> = {
  rss: { title: 'RSS', media: 'application/rss+xml' },
  atom: { title: 'Atom', media: 'application/atom+xml' },
  json: { title: 'JSON Feed', media: 'application/feed+json' },
}

/** Whole addresses, of the page and of the feed. */
export type FeedAddress = { page: string; feed: string }

type Entry = { id: string; url: string; title: string; published: string; updated: string; content: Html; tag: string }

/** What happened on the page and what is planned, the latest first. Same page, same text. */
export function renderFeed(kind: FeedKind, payload: ShownPage, address: FeedAddress): string {
  const view = viewOf(payload, new Date(payload.updated_at))
  const entries = [...incidentEntries(view, address), ...maintenanceEntries(view, address)].sort((a, b) =>
    a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : a.id < b.id ? -1 : 1,
  )
  return renderers[kind](view, entries, address)
}

const renderers: Record<FeedKind, (view: View, entries: Entry[], address: FeedAddress) => string> = {
  rss: ({ payload, spoken }, entries, { page, feed }) =>
    xml(
      `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>${tag('title', payload.title)}${tag('link', page)}${tag('description', payload.description || payload.title)}${tag('language', spoken)}<atom:link rel="self" type="application/rss+xml" href="${text(feed)}"/>${tag('lastBuildDate', rfc822(latest(payload, entries)))}${tag('ttl', '5')}${entries
        .map(
          entry =>
            `<item>${tag('title', entry.title)}${tag('link', entry.url)}<guid isPermaLink="false">${entry.id}</guid>${tag('pubDate', rfc822(entry.updated))}${tag('category', entry.tag)}${tag('description', entry.content.markup)}</item>`,
        )
        .join('')}</channel></rss>`,
    ),
  atom: ({ payload, spoken }, entries, { page, feed }) =>
    xml(
      `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${spoken}">${tag('id', idOf(payload, 'page'))}${tag('title', payload.title)}${payload.description ? tag('subtitle', payload.description) : ''}${tag('updated', latest(payload, entries))}<author>${tag('name', payload.title)}</author><link rel="alternate" type="text/html" href="${text(page)}"/><link rel="self" type="application/atom+xml" href="${text(feed)}"/>${entries
        .map(
          entry =>
            `<entry>${tag('id', entry.id)}${tag('title', entry.title)}${tag('published', entry.published)}${tag('updated', entry.updated)}<link rel="alternate" type="text/html" href="${text(entry.url)}"/><category term="${entry.tag}"/><content type="html">${text(entry.content.markup)}</content></entry>`,
        )
        .join('')}</feed>`,
    ),
  json: ({ payload, spoken }, entries, { page, feed }) =>
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: payload.title,
      ...(payload.description ? { description: payload.description } : {}),
      home_page_url: page,
      feed_url: feed,
      language: spoken,
      authors: [{ name: payload.title, url: page }],
      items: entries.map(entry => ({
        id: entry.id,
        url: entry.url,
        title: entry.title,
        content_html: entry.content.markup,
        date_published: entry.published,
        date_modified: entry.updated,
        tags: [entry.tag],
      })),
    }),
}

function incidentEntries(view: View, { page }: FeedAddress): Entry[] {
  const { payload, words } = view
  return payload.incidents.map(incident => {
    const { id, title, status, severity, started_at, resolved_at, created_at, monitor_name, updates } = incident
    const said = updates
      .toReversed()
      .map(
        update =>
          html`<p><b>${own(words.incidentStatus, update.status)}</b> ${moment(update.created_at, view)}<br>${lines(update.message)}</p>`,
      )
    return {
      id: idOf(payload, `incident ${id}`),
      url: `${page}#incident-${id}`,
      title: `${own(words.incidentStatus, status)}: ${title}`,
      published: created_at,
      updated: [created_at, resolved_at ?? '', ...updates.map(update => update.created_at)].sort().at(-1) as string,
      tag: 'incident',
      content: html`<p>${own(words.severity, severity)}, ${
        resolved_at === null ? moment(started_at, view) : period(started_at, resolved_at, view)
      }${monitor_name && html`. ${words.affects} ${written(monitor_name, view)}`}</p>${said}`,
    }
  })
}

/** A window of a series is told for each time that it comes, when it is shown for the first time. */
function maintenanceEntries(view: View, { page }: FeedAddress): Entry[] {
  const { payload, words } = view
  return payload.maintenance.map(({ id, title, description, starts_at, ends_at }) => ({
    id: idOf(payload, `maintenance ${id} ${starts_at}`),
    url: `${page}#maintenance-${id}`,
    title: `${words.plannedMaintenance}: ${title}`,
    published: weekBefore(starts_at),
    updated: weekBefore(starts_at),
    tag: 'maintenance',
    content: html`<p>${period(starts_at, ends_at, view)}</p>${description && html`<p>${lines(description)}</p>`}`,
  }))
}

/** A reader shows no line that is not said to be one. */
const lines = (message: string): Html =>
  html`${message.split(/\r?\n/).map((line, at) => html`${at > 0 && html`<br>`}${linked(line)}`)}`

/** The same on every reading, whatever the page is called or wherever it is found, and on no other instance. */
function idOf({ id, created_at }: ShownPage, what: string): string {
  const hex = hash('sha256', `watchpost ${id} ${created_at} ${what}`)
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const latest = ({ created_at }: ShownPage, entries: Entry[]): string => entries[0]?.updated ?? created_at

const rfc822 = (timestamp: string): string => new Date(timestamp).toUTCString()

const xml = (content: string): string => `<?xml version="1.0" encoding="utf-8"?>\n${content}\n`

const tag = (name: string, content: string): string => `<${name}>${text(content)}</${name}>`

// Two more than HTML that XML cannot hold.
const text = (content: string): string => escapeHtml(content).replace(/[\ufffe\uffff]/g, '')
