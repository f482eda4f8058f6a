import { daysOn } from './days.ts'
import { historyBars } from './history-bars.ts'
import { type Html, html } from './html.ts'
import { icon } from './icons.ts'
import type { ShownPage } from './shown-page.ts'
import { levelOf, saidOf, statusOf } from './state.ts'
import { moment, type View, written } from './view.ts'

type Monitor = ShownPage['monitors'][number]

/** One monitor: its name, its state in a word and a shape, and what its page chose to show of it. */
export function monitorRow(monitor: Monitor, view: View): Html {
  const { words, axis } = view
  const said = saidOf(monitor)
  const level = levelOf(said)
  const name = monitor.display_name ?? monitor.name
  return html`<li class="monitor" data-status="${statusOf(monitor)}">
    <h3>${written(name, view)}</h3>
    <p class="now"><span class="state ${level}">${icon(level)}${words[said]}</span>
    ${said === 'operational' && monitor.in_maintenance && html`<span>${words.inMaintenance}</span>`}${level !== 'up' && lastCheck(monitor, view)}${responseTime(monitor, view)}</p>
    ${
      monitor.show_uptime &&
      axis.length > 0 &&
      historyBars({ id: `m${monitor.id}`, name, days: daysOn(axis, monitor.uptime_history) }, view)
    }</li>`
}

function responseTime({ show_response_time, response_time_ms }: Monitor, { words, format }: View): Html | false {
  if (!show_response_time || response_time_ms === null) return false
  return html`<span><span class="unseen">${words.responseTime}: </span>${format.duration(response_time_ms)}</span>`
}

// Only where the state is not plainly good does its age matter to a visitor.
function lastCheck({ last_check }: Monitor, view: View): Html {
  return last_check === null
    ? html`<span>${view.words.neverChecked}</span>`
    : html`<span>${view.words.lastCheck} ${moment(last_check, view)}</span>`
}
