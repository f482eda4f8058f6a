import { banner } from './banner.ts'
import { groups } from './group.ts'
import { type Html, html, trusted } from './html.ts'
import { favicon, iconSheet } from './icons.ts'
import { openIncidents, recentIncidents } from './incidents.ts'
import { plannedMaintenance, runningMaintenance } from './maintenance.ts'
import { overallUptime } from './overall-uptime.ts'
import { script } from './script.ts'
import type { ShownPage } from './shown-page.ts'
import { pageState } from './state.ts'
import { styleOf } from './style.ts'
import { type View, viewOf, written } from './view.ts'

export type RenderOptions = {
  /** When the page is rendered, by default when its payload was computed; tells "today" and a stale page. */
  now?: Date
  /** For the Content-Security-Policy. Without one the page carries no script, which it can do without. */
  nonce?: string
  /** Where the page itself is found, for refreshing it in place. Without one it is not refreshed. */
  refreshUrl?: string
}

/** The public status page as one complete HTML document that makes no further request. Pure: same input, same text. */
export function renderStatusPage(payload: ShownPage, options: RenderOptions = {}): string {
  const { now = new Date(payload.updated_at), nonce, refreshUrl } = options
  const view = viewOf(payload, now)
  return `<!doctype html>${
    html`<html lang="${view.language}">${head(view, nonce)}
    <body${view.spoken !== view.language && html` lang="${view.spoken}"`}>${iconSheet}
    <header class="brand"><span class="monogram" aria-hidden="true">${initial(payload.title)}</span><h1>${written(payload.title, view)}</h1></header>
    <main${refreshUrl !== undefined && html` data-refresh="${refreshUrl}"`}>
    ${payload.description && html`<p class="about">${written(payload.description, view)}</p>`}
    ${banner(view)}${openIncidents(view)}${runningMaintenance(view)}${plannedMaintenance(view)}${overallUptime(view)}${groups(view)}${recentIncidents(view)}</main>
    <footer><p>${view.words.timesUtc}</p><p>${view.words.madeWith}</p></footer>
    <p class="unseen" id="live" role="status"></p>
    ${nonce !== undefined && html`<script nonce="${nonce}">${trusted(script)}</script>`}</body></html>`.markup
  }`
}

function head(view: View, nonce: string | undefined): Html {
  const { title, description } = view.payload
  const { level, headline } = pageState(view)
  return html`<head><meta charset="utf-8"><title>${title} – ${headline}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="description" content="${description || headline}">
    <meta property="og:title" content="${title}"><meta property="og:description" content="${headline}">
    <meta name="referrer" content="no-referrer">
    <link rel="icon" href="${favicon(level)}">
    <style${nonce !== undefined && html` nonce="${nonce}"`}>${trusted(styleOf(view))}</style></head>`
}

const initial = (title: string): string => [...title.trim()][0]?.toUpperCase() ?? ''
