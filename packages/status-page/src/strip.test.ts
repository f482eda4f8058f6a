import { expect, test } from 'vitest'
import type { Day, Level } from './days.ts'
import { drawDays } from './strip.ts'

const days = (...levels: Level[]): Day[] =>
  levels.map(level => ({ date: '2026-11-21', level, uptime: level === 'blank' ? undefined : 99 }))
const lines = (markup: string) =>
  [...markup.matchAll(/<path class="(\w+)" d="([^"]+)" stroke-width="([^"]+)"/g)].map(([, level, path, height]) => [
    level,
    path,
    Number(height),
  ])

test('up, partly up, down and not watched differ in shape, not only in colour', () => {
  const drawn = lines(drawDays(days('up', 'dip', 'fall', 'blank'), 1, 0).markup)
  expect(drawn).toEqual([
    ['up', 'M.1 .43h.8', 0.86],
    ['up', 'M1.1 .26h.8', 0.52],
    ['dip', 'M1.1 .8h.8', 0.4],
    ['fall', 'M2.1 .5h.8', 1],
    ['blank', 'M3.1 .5h.8', 0.2],
  ])
})

test('days that went alike are one line, which begins anew after any other', () => {
  const { markup } = drawDays(days('up', 'up', 'up', 'fall', 'up', 'up'), 1, 0)
  expect(lines(markup)).toEqual([
    ['up', 'M.1 .43h2.8m1.2 0h1.8', 0.86],
    ['fall', 'M3.1 .5h.8', 1],
  ])
  expect(markup).toContain('viewBox="0 0 6 1"')
})

test('a calendar goes down its weeks, and begins at its weekday', () => {
  // Wednesday to Tuesday: the last two are in the next column.
  const { markup } = drawDays(days('up', 'up', 'up', 'up', 'up', 'up', 'fall'), 7, 2)
  expect(markup).toContain('viewBox="0 0 2 7"')
  expect(lines(markup)).toEqual([
    ['up', 'M1.1 .5h.8m-1.8 2h.8m-.8 1h.8m-.8 1h.8m-.8 1h.8m-.8 1h.8', 0.82],
    ['fall', 'M1.1 1.5h.8', 0.82],
  ])
})

test('each day is drawn once, wherever it lies', () => {
  const levels: Level[] = ['up', 'dip', 'fall', 'blank']
  for (const rows of [1, 7] as const) {
    const shown = days(...Array.from({ length: 365 }, (_, at) => levels[(at * at) % 4] as Level))
    const drawn = lines(drawDays(shown, rows, rows === 1 ? 0 : 3).markup)
    const length = (path: string) =>
      [...path.matchAll(/h([\d.]+)/g)].reduce((sum, [, run]) => sum + Math.ceil(Number(run)), 0)
    // A day that was partly up is two lines.
    const dips = shown.filter(({ level }) => level === 'dip').length
    expect(drawn.reduce((sum, [, path]) => sum + length(path as string), 0)).toBe(shown.length + dips)
  }
})
