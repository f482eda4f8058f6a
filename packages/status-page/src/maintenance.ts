import type { StatusPayload } from '@watchpost/contract'
import { type Html, html } from './html.ts'
import { icon } from './icons.ts'
import { isRunning } from './state.ts'
import { paragraph, period, type View, written } from './view.ts'

type Maintenance = StatusPayload['maintenance'][number]

/** Names that are said before the others are counted. */
const mostNames = 5

/** When it was planned is not public: a week ahead is when a page begins to show it. */
export const weekBefore = (timestamp: string): string => new Date(Date.parse(timestamp) - 7 * 86_400_000).toISOString()

/** Planned work that is being done; nothing where nothing is. */
export function runningMaintenance(view: View): Html | false {
  return section(view.words.runningMaintenance, view.payload.maintenance.filter(isRunning), view)
}

/** Planned work of the days to come. */
export function plannedMaintenance(view: View): Html | false {
  const planned = view.payload.maintenance.filter(maintenance => !isRunning(maintenance))
  return section(view.words.plannedMaintenance, planned, view)
}

function section(heading: string, all: Maintenance[], view: View): Html | false {
  if (all.length === 0) return false
  return html`<section class="group"><header><h2>${heading}</h2></header>
    <ul class="card">${all.map(maintenance => item(maintenance, view))}</ul></section>`
}

function item(maintenance: Maintenance, view: View): Html {
  const { words } = view
  const { title, description, status, starts_at, ends_at } = maintenance
  return html`<li class="incident" id="maintenance-${maintenance.id}">${icon('blank')}<div><h3>${written(title, view)}</h3>
    <p><b class="state blank">${words.maintenanceStatus[status]}</b>
    <span>${period(starts_at, ends_at, view)}</span>
    <span>${words.affects} ${affected(maintenance, view)}</span></p>
    ${description && paragraph(description, view)}</div></li>`
}

function affected({ monitor_ids }: Maintenance, view: View): Html {
  const { monitors } = view.payload
  const those = monitors.filter(({ id }) => monitor_ids.includes(id))
  if (those.length === monitors.length && those.length > 1) return html`${view.words.everything}`
  const names = those.slice(0, mostNames).map(({ display_name, name }) => written(display_name ?? name, view))
  const more = those.length - names.length
  return html`${names.map((name, index) => html`${index > 0 && view.words.comma}${name}`)}${more > 0 && ` ${view.words.andMore(more)}`}`
}
