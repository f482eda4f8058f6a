import { banner } from './banner.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { feedKinds, feedName } from './feed.ts'
import { groups } from './group.ts'
import { dayNames } from './history-bars.ts'
import { type Html, html, trusted } from './html.ts'
import { favicon, iconSheet } from './icons.ts'
import { openIncidents, recentIncidents, toHistory } from './incidents.ts'
import { plannedMaintenance, runningMaintenance } from './maintenance.ts'
import { overallUptime } from './overall-uptime.ts'
import { script } from './script.ts'
import type { ShownPage } from './shown-page.ts'
import { pageState } from './state.ts'
import { styleOf } from './style.ts'
import { paragraph, type View, viewOf, written } from './view.ts'

export type RenderOptions = {
  /** When the page is rendered, by default when its payload was computed; tells "today" and a stale page. */
  now?: Date
  /**
   * Where the page is found on its site. Without it the page carries no script, which it can do without, and names
   * neither feeds nor subscription.
   */
  path?: string
  /** Whole address of the page, for what is shared elsewhere. */
  url?: string
  /** Whether one can subscribe by e-mail. */
  subscribable?: boolean
}

/** A document, and the policy it is to be sent with. */
export type Rendered = { body: string; policy: string }

/** The public status page as one complete HTML document. Pure: same input, same text. */
export function renderStatusPage(payload: ShownPage, options: RenderOptions = {}): Rendered {
  const { now = new Date(payload.updated_at), path } = options
  const view = viewOf(payload, now)
  const style = styleOf(view)
  const body = `<!doctype html>${
    html`${openHtml(view)}${head(view, options)}<style>${trusted(style)}</style></head>
    ${openBody(view)}${iconSheet}${brand(view, wayToFollow(view, options))}
    <main${path !== undefined && html` data-refresh="${path}" data-days="${dayNames(view)}"`}>
    ${payload.description && html`<div class="about">${paragraph(payload.description, view)}</div>`}
    ${banner(view)}${openIncidents(view)}${runningMaintenance(view)}${plannedMaintenance(view)}${overallUptime(view)}${groups(view)}${recentIncidents(view)}${toHistory(view, path)}</main>
    <footer>${follow(view, options)}<p>${view.words.timesUtc}</p><p>${view.words.madeWith}</p></footer>
    <p class="unseen" id="live" role="status"></p>
    ${path !== undefined && html`<script>${trusted(script)}</script>`}</body></html>`.markup
  }`
  const scripts = path === undefined ? [] : [script]
  return { body, policy: contentSecurityPolicy({ styles: [style], scripts }) }
}

/** The element that everything is in: in the language and the direction of the page's words. */
export const openHtml = ({ language, words }: View): Html => html`<html lang="${language}" dir="${words.direction}">`

export const openBody = ({ language, spoken }: View): Html =>
  html`<body${spoken !== language && html` lang="${spoken}"`}>`

/** Whose page it is: their logo, or the first letter of its title. */
export function brand(view: View, beside: Html | false = false): Html {
  const { title, logo } = view.payload
  const mark =
    logo === null
      ? html`<span class="monogram" aria-hidden="true">${initial(title)}</span>`
      : html`<img class="logo" src="${logo}" alt="">`
  return html`<header class="brand">${mark}<h1>${written(title, view)}</h1>${beside}</header>`
}

function head(view: View, { path, url }: RenderOptions): Html {
  const { title, description } = view.payload
  const { level, headline } = pageState(view)
  return html`<head><meta charset="utf-8"><title>${title} – ${headline}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="description" content="${description || headline}">
    <meta property="og:type" content="website"><meta property="og:site_name" content="${title}">
    <meta property="og:title" content="${title}"><meta property="og:description" content="${headline}">
    <meta property="og:locale" content="${view.words.locale.replace('-', '_')}">
    <meta name="twitter:card" content="summary_large_image">
    ${url !== undefined && html`<meta property="og:url" content="${url}"><link rel="canonical" href="${url}">`}
    ${
      url !== undefined &&
      path !== undefined &&
      html`<meta property="og:image" content="${new URL(`${path}/card.png`, url).href}"><meta property="og:image:type" content="image/png"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630"><meta property="og:image:alt" content="${headline}">`
    }
    <meta name="referrer" content="no-referrer">
    ${
      path !== undefined &&
      feedKinds.map(
        kind =>
          html`<link rel="alternate" type="${feedName[kind].media}" title="${feedName[kind].title}" href="${path}/feed.${kind}">`,
      )
    }
    <link rel="icon" href="${favicon(level)}">`
}

/** What people look for at the top: by e-mail where that is offered, else what is at the foot. */
function wayToFollow({ words }: View, { path, subscribable = false }: RenderOptions): Html | false {
  if (path === undefined) return false
  return html`<a href="${subscribable ? `${path}/subscribe` : '#follow'}">${words.followBy}</a>`
}

/** How to hear of what happens here without looking. */
function follow({ words }: View, { path, subscribable = false }: RenderOptions): Html | false {
  if (path === undefined) return false
  return html`<nav class="links" id="follow" aria-label="${words.followBy}">${subscribable && html`<a href="${path}/subscribe">${words.byEmail}</a>`}
    ${feedKinds.map(kind => html`<a href="${path}/feed.${kind}">${feedName[kind].title}</a>`)}</nav>`
}

const initial = (title: string): string => [...title.trim()][0]?.toUpperCase() ?? ''
