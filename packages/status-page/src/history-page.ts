import { contentSecurityPolicy } from './content-security-policy.ts'
import { type Html, html, trusted } from './html.ts'
import { favicon, iconSheet } from './icons.ts'
import { list, noIncidents, section } from './incidents.ts'
import { brand, openBody, openHtml, type Rendered } from './page.ts'
import type { ShownIncident, ShownPage } from './shown-page.ts'
import { pageState } from './state.ts'
import { styleOf } from './style.ts'
import { type View, viewOf } from './view.ts'

/** A part of all incidents that there ever were on a page, the latest first. */
export type HistoryPart = {
  incidents: ShownIncident[]
  /** From 1. */
  number: number
  /** How many parts there are. */
  total: number
}

/** Whole address of a part of the history, of a page that is found there. */
const historyUrl = (page: string, number: number): string => `${page.replace(/\/$/, '')}/history${query(number)}`

const query = (number: number): string => (number === 1 ? '' : `?page=${number}`)

/** What happened before that which the page has room for, by month. Without a script. */
export function renderHistory(
  payload: ShownPage,
  part: HistoryPart,
  { url, path }: { url: string; path: string },
): Rendered {
  const view = viewOf(payload, new Date(payload.updated_at))
  const { words } = view
  const style = styleOf(view)
  const title = `${words.incidentHistory} – ${payload.title}`
  const body = `<!doctype html>${
    html`${openHtml(view)}<head><meta charset="utf-8"><title>${title}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
    <link rel="canonical" href="${historyUrl(url, part.number)}"><link rel="icon" href="${favicon(pageState(view).level)}">
    <style>${trusted(style)}</style></head>${openBody(view)}${iconSheet}${brand(view, html`<a href="${path}">${words.back}</a>`)}
    <main><p class="about">${words.incidentHistory}</p>${part.incidents.length === 0 ? html`<section class="group">${noIncidents(view)}</section>` : months(part.incidents, view)}${pager(part, path, view)}</main>
    <footer><p>${words.timesUtc}</p><p>${words.madeWith}</p></footer></body></html>`.markup
  }`
  return { body, policy: contentSecurityPolicy({ styles: [style] }) }
}

function months(incidents: ShownIncident[], view: View): Html {
  const byMonth = Map.groupBy(incidents, ({ started_at }) => started_at.slice(0, 7))
  return html`${[...byMonth.values()].map(some => section(view.format.month((some[0] as ShownIncident).started_at), list(some, view)))}`
}

function pager({ number, total }: HistoryPart, path: string, { words }: View): Html | false {
  if (total === 1) return false
  const to = (next: number) => `${path}/history${query(next)}`
  return html`<nav class="pager" aria-label="${words.incidentHistory}">${number > 1 && html`<a rel="prev" href="${to(number - 1)}">${words.newerIncidents}</a>`}<span>${words.pageOf(number, total)}</span>${number < total && html`<a rel="next" href="${to(number + 1)}">${words.olderIncidents}</a>`}</nav>`
}
