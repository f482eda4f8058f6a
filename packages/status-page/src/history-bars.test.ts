import { expect, test } from 'vitest'
import { daysOn } from './days.ts'
import { dayNames, dayStyle, historyBars } from './history-bars.ts'
import { history, perfect, view } from './sample.ts'

function drawn(uptimes: (number | null)[]): string {
  const points = history(uptimes)
  const page = view({ uptime_history: points, monitors: [] })
  return historyBars({ id: 'm1', name: 'Website', days: daysOn(page.axis, points) }, page).markup
}
const barsOf = (markup: string) => markup.match(/<i[ >]/g)?.length

test.each([30, 60, 90, 180, 365])('%s days are a bar each, and a name each in the style and for the script', days => {
  expect(barsOf(drawn(Array(days).fill(99)))).toBe(days)
  const page = view({ uptime_history: perfect(days) })
  const named = /symbols:("[^"]*"(?: "[^"]*")*)}/.exec(dayStyle(page))?.[1] ?? ''
  expect(named.slice(1, -1).split('" "')).toHaveLength(days)
  expect(dayNames(page)).toBe(named.slice(1, -1).replaceAll('" "', '|'))
})

test('the style does not grow by a rule for each day', () => {
  const rules = (days: number) => dayStyle(view({ uptime_history: perfect(days) })).match(/{/g)?.length
  expect(rules(365)).toBe((rules(90) ?? 0) + 1)
})

test('a day tells its date and its uptime', () => {
  expect(drawn([100, 97.256])).toContain('<noscript><div><i></i><i data-u="97.25% uptime"></i></div></noscript>')
  const style = dayStyle(view({ uptime_history: perfect(3) }))
  expect(style).toContain('symbols:"19 Nov 2026" "20 Nov 2026" "21 Nov 2026"}')
  expect(style).toContain(':nth-child(n+3){--p:-100%}')
})

test('up, partly up, down and not watched are told apart', () => {
  expect(drawn([100, 99, 12, null])).toContain(
    '<i></i><i data-u="99.00% uptime"></i><i data-u="12.00% uptime"></i><i class="blank"></i>',
  )
})

test('screen readers hear the strip as one sentence', () => {
  expect(drawn([null, 100, 98])).toContain(
    'aria-label="Uptime of Website, last 3 days: 99.00% uptime, 1 day with downtime, 1 day not watched"',
  )
})

test('what hovering tells can be unfolded without a script', () => {
  expect(drawn([null, null, 100, 98])).toContain(
    '<summary>1 day with downtime, 2 days not watched</summary><ul><li class="dip">21 Nov 2026 <b>98.00% uptime</b></li>',
  )
  expect(drawn([100, 100])).not.toContain('<details')
})

test('nothing watched is not 0% and not 100%', () => {
  const markup = drawn([null, null])
  expect(markup).toContain('No data yet')
  expect(markup).not.toMatch(/\d%/)
})

test('a year of trouble is told in at most 31 lines', () => {
  const markup = drawn(Array(365).fill(99))
  expect(markup.match(/<li class/g)).toHaveLength(31)
  expect(markup).toContain('<li>and 334 earlier</li>')
})

test('more than 90 days are a calendar whose rows are weekdays', () => {
  expect(drawn(Array(90).fill(100))).toContain('class="history"')
  expect(drawn(Array(180).fill(100))).toContain('class="history weeks"')
  // 180 days before the end of 21 Nov 2026 begin on 26 May 2026, a Tuesday.
  expect(dayStyle(view({ uptime_history: perfect(180) }))).toContain('.weeks i:first-child{grid-row-start:2}')
})

test('the last day is today only on that day', () => {
  const old = view({ uptime_history: perfect(2) })
  const days = daysOn(old.axis, perfect(2))
  expect(historyBars({ id: 'p', name: 'n', days }, old).markup).toContain('<span>Today</span>')
  const later = { ...old, now: new Date('2026-11-22T00:01:00Z') }
  expect(historyBars({ id: 'p', name: 'n', days }, later).markup).toContain('<span>21 Nov 2026</span>')
})
