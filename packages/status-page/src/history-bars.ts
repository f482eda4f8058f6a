import { type Day, meanUptime, type Stretch, stretches } from './days.ts'
import { cssString } from './escape.ts'
import { type Html, html, trusted } from './html.ts'
import { drawDays } from './strip.ts'
import type { View } from './view.ts'

// Beyond this many days a bar would be narrower than a finger or a pixel allows: days become a calendar of weeks.
const longestRow = 90
const mostTold = 31

/** Whether a history this long is drawn as a calendar. */
export const isCalendar = (days: number): boolean => days > longestRow

type Subject = { id: string; name: string; days: Day[] }

/** The strip of days with its ends named, its uptime, and the days that were not plain 100% to unfold. */
export function historyBars({ id, name, days }: Subject, view: View): Html {
  const { words, format } = view
  const uptime = meanUptime(days)
  const number = uptime === undefined ? words.noUptime : `${format.percent(uptime)} ${words.uptime}`
  const calendar = isCalendar(days.length)
  const label = `${words.historyOf(name, days.length)}: ${[number, ...tally(days, view)].join(words.comma)}`
  return html`
    <div class="history${calendar && ' weeks'}" id="${id}" role="img" aria-label="${label}">${drawDays(days, calendar ? 7 : 1, calendar ? leadOf(view) : 0)}<noscript><div>${marks(days, view)}</div></noscript></div>
    <p class="ends"><span>${words.daysAgo(days.length)}</span><b>${number}</b><span>${lastDay(view)}</span></p>
    ${told(id, days, view)}`
}

/** Notes stand at one of so many places over the strip, from its left end to its right one. */
const places = 10

/**
 * Names each day once for all strips, so that a bar itself is seven bytes: the dates are numerals of a way of counting,
 * which only the note of the one bar that is pointed at is written in. A rule for each day would be tried on each bar
 * of the page. `--p` is how far along the strip a bar lies, by which its note is shifted to stay on the screen.
 */
export function dayStyle(view: View): string {
  const { axis, words, format } = view
  const calendar = isCalendar(axis.length)
  const lead = calendar ? leadOf(view) : 0
  const along = (i: number) =>
    calendar ? Math.floor((lead + i) / 7) / ((lead + axis.length) / 7) : i / (axis.length - 1 || 1)
  const dates = `@counter-style day{system:fixed;suffix:"";symbols:${axis.map(date => cssString(format.day(date))).join(' ')}}`
  const shifts = Array.from({ length: places }, (_, k) => {
    const first = axis.findIndex((_, i) => Math.round(along(i) * places) > k)
    return first < 0 ? '' : `.history i:is(:hover,.on):nth-child(n+${first + 1}){--p:-${(100 / places) * (k + 1)}%}`
  })
  const notes = `.history{--full:${cssString(`${format.percent(100)} ${words.uptime}`)};--none:${cssString(words.noData)}}`
  const start = calendar ? `.weeks i:first-child{grid-row-start:${lead + 1}}` : ''
  return axis.length === 0 ? '' : dates + notes + start + shifts.join('')
}

/** The same dates for the script, which says them. */
export const dayNames = ({ axis, format }: View): string => axis.map(date => format.day(date)).join('|')

/**
 * What a day tells who points at it: boxes that are there only while somebody points at their strip. The script takes
 * them out of their `noscript` then, which is but a text to a browser that runs it. Plain concatenation: a page can hold
 * eighteen thousand of these, and nothing in them is user text.
 */
function marks(days: Day[], { format, words }: View): Html {
  let markup = ''
  for (const { level, uptime } of days) {
    if (level === 'up') markup += '<i></i>'
    else if (uptime === undefined) markup += '<i class="blank"></i>'
    else markup += `<i data-u="${format.percent(uptime)} ${words.uptime}"></i>`
  }
  return trusted(markup)
}

function tally(days: Day[], { words }: View): string[] {
  const troubled = days.filter(({ level }) => level === 'dip' || level === 'fall').length
  const blank = days.filter(({ level }) => level === 'blank').length
  return [troubled > 0 && words.troubledDays(troubled), blank > 0 && words.unwatchedDays(blank)].filter(
    part => part !== false,
  )
}

// For keyboards, fingers and screen readers, and without a script: what hovering tells, as a list.
function told(id: string, days: Day[], view: View): Html | false {
  const all = stretches(days)
  if (all.length === 0 || days.every(({ level }) => level === 'blank')) return false
  const earlier = all.length - mostTold
  return html`<details id="${id}-days"><summary>${tally(days, view).join(view.words.comma)}</summary><ul>
    ${all.slice(0, mostTold).map(stretch => line(stretch, view))}
    ${earlier > 0 && html`<li>${view.words.earlier(earlier)}</li>`}</ul></details>`
}

function line({ from, to, level, uptime }: Stretch, { words, format }: View): Html {
  const note = uptime === undefined ? words.noData : `${format.percent(uptime)} ${words.uptime}`
  return html`<li class="${level}">${format.days(from, to)} <b>${note}</b></li>`
}

function lastDay({ axis, now, words, format }: View): string {
  const date = axis.at(-1) as string
  return date === now.toISOString().slice(0, 10) ? words.today : format.day(date)
}

/** Cells of the first week before the first day: Monday has none. */
const leadOf = ({ axis }: View): number => (new Date(axis[0] as string).getUTCDay() + 6) % 7
