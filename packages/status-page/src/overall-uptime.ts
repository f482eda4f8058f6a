import { daysOn, type Level, meanUptime } from './days.ts'
import { historyBars, isCalendar } from './history-bars.ts'
import { type Html, html } from './html.ts'
import type { View } from './view.ts'

const levels: Level[] = ['up', 'dip', 'fall', 'blank']

/** The page as a whole over its days, and the key by which every strip on the page is read. */
export function overallUptime(view: View): Html | false {
  const { payload, words, format, axis } = view
  if (payload.monitors.length === 0 || axis.length === 0) return false
  const days = daysOn(axis, payload.uptime_history)
  const uptime = meanUptime(days)
  // The same days would stand there twice.
  const alone = payload.monitors.length === 1 && payload.monitors[0]?.show_uptime === true
  return html`<section class="card uptime"><header><h2>${words.overallUptime}</h2>
    <p>${uptime !== undefined && html`<b>${format.percent(uptime)}</b>`} ${words.overDays(axis.length)}</p></header>
    ${!alone && historyBars({ id: 'page', name: words.wholePage, days }, view)}
    <ul class="key${isCalendar(axis.length) && ' weeks'}" aria-label="${words.legend}">${levels.map(
      level => html`<li><i class="${level}"></i>${words.levels[level]}</li>`,
    )}</ul></section>`
}
