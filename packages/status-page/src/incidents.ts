import type { Level } from './days.ts'
import { type Html, html } from './html.ts'
import { icon } from './icons.ts'
import type { ShownIncident } from './shown-page.ts'
import { isOpen } from './state.ts'
import { moment, paragraph, period, type View, written } from './view.ts'

const mostShown = 10
/** Of one timeline; the feeds have the rest. */
const mostUpdates = 25

/** What is wrong now, which stands right below the banner; nothing where nothing is. */
export function openIncidents(view: View): Html | false {
  const open = shown(view).filter(isOpen)
  return open.length > 0 && section(view.words.openIncidents, list(open, view))
}

/** What went wrong lately and is over. */
export function recentIncidents(view: View): Html | false {
  const { payload, words } = view
  if (payload.monitors.length === 0 && payload.incidents.length === 0) return false
  const over = shown(view).filter(incident => !isOpen(incident))
  if (over.length > 0) return section(words.recentIncidents, list(over, view))
  return payload.incidents.length === 0 && section(words.recentIncidents, noIncidents(view))
}

export const noIncidents = ({ words }: View): Html => html`<p class="card">${words.noIncidents}</p>`

/** Where those are that the page has no room for. */
export function toHistory({ payload, words }: View, path: string | undefined): Html | false {
  if (path === undefined || payload.incidents.length === 0) return false
  return html`<p class="more"><a href="${path}/history">${words.incidentHistory}</a></p>`
}

const shown = ({ payload }: View): ShownIncident[] => payload.incidents.slice(0, mostShown)

export const section = (heading: string, content: Html): Html =>
  html`<section class="group"><header><h2>${heading}</h2></header>${content}</section>`

export const list = (incidents: ShownIncident[], view: View): Html =>
  html`<ul class="card">${incidents.map(incident => item(incident, view))}</ul>`

function item(incident: ShownIncident, view: View): Html {
  const { words } = view
  const level = levelOf(incident)
  const status = own(words.incidentStatus, incident.status)
  return html`<li class="incident" id="incident-${incident.id}">${icon(level)}<div><h3>${written(incident.title, view)}</h3>
    <p><b class="state ${level}">${status}</b><span>${own(words.severity, incident.severity)}</span>
    ${incident.monitor_name && html`<span>${words.affects} ${written(incident.monitor_name, view)}</span>`}
    <span>${
      incident.resolved_at === null
        ? moment(incident.started_at, view)
        : period(incident.started_at, incident.resolved_at, view)
    }</span></p>${timeline(incident, view)}</div></li>`
}

/** What was said of it, the latest first; of one that is over, to unfold. */
function timeline(incident: ShownIncident, view: View): Html | false {
  const { words } = view
  const { id, updates } = incident
  if (updates.length === 0) return false
  const latest = updates.slice(-mostUpdates).reverse()
  const earlier = updates.length - latest.length
  const entries = html`<ol class="timeline">${latest.map(
    ({ message, status, created_at }) =>
      html`<li><b>${own(words.incidentStatus, status)}</b> ${moment(created_at, view)}${paragraph(message, view)}</li>`,
  )}${earlier > 0 && html`<li>${words.earlier(earlier)}</li>`}</ol>`
  if (isOpen(incident)) return entries
  return html`<details id="updates-${id}"><summary>${words.updates(updates.length)}</summary>${entries}</details>`
}

export function levelOf({ status, severity }: Pick<ShownIncident, 'status' | 'severity'>): Level {
  if (status === 'resolved') return 'up'
  return severity === 'minor' ? 'dip' : 'fall'
}

/** A word that a later version of the API adds is better shown as it is than not at all. */
export const own = (words: Record<string, string>, key: string): string =>
  (Object.hasOwn(words, key) ? words[key] : undefined) ?? key
