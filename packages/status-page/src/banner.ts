import { type Html, html } from './html.ts'
import { icon } from './icons.ts'
import { pageState } from './state.ts'
import { moment, type View } from './view.ts'

// A page older than this was not made for this request: something keeps the server from making a new one.
const staleAfterMs = 10 * 60 * 1000

/** The first thing people look for: is it working, and as of when. */
export function banner(view: View): Html {
  const { payload, words, now } = view
  const { level, headline, detail } = pageState(view)
  const stale = now.getTime() - Date.parse(payload.updated_at) > staleAfterMs
  return html`<section class="overall ${level}" data-overall="${payload.overall_status}">${icon(level)}<div>
    <h2>${headline}</h2>
    ${detail.length > 0 && html`<p>${detail.join(' · ')}</p>`}
    ${stale && html`<p>${words.stale}</p>`}
    <p class="asof">${words.lastUpdated} ${moment(payload.updated_at, view)}</p></div></section>`
}
