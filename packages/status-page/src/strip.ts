import type { Day, Level } from './days.ts'
import { type Html, trusted } from './html.ts'

/** A band of a day's cell, whose height is 1: from its top to its foot. */
type Band = readonly [top: number, foot: number]

// Shape says what colour says: down and partly down bars stand taller than good ones, an unwatched day is a stub.
const strip = { up: [0, 0.86], fall: [0, 1], blank: [0.4, 0.6] } as const
const square = { up: [0.09, 0.91], fall: [0.09, 0.91], blank: [0.34, 0.66] } as const
/** A day that was up for most of it: what was lost of it lies below. */
const dipped = { strip: { up: [0, 0.52], dip: [0.6, 1] }, square: { up: [0.09, 0.4], dip: [0.5, 0.91] } } as const

/**
 * Days as one picture of at most five lines, each dashed into days: a box for each of hundreds of days would be styled,
 * laid out and painted before anything is seen.
 * @param rows 1 for a strip, 7 for a calendar whose columns are weeks
 * @param lead cells of a calendar before its first day
 */
export function drawDays(days: readonly Day[], rows: 1 | 7, lead: number): Html {
  const [shape, dip] = rows === 1 ? [strip, dipped.strip] : [square, dipped.square]
  const columns = Math.ceil((lead + days.length) / rows)
  const runs = runsOf(days, rows, lead)
  const of = (level: Level) => runs.filter(run => run.level === level)
  const lines = [
    line('up', shape.up, of('up')),
    line('up', dip.up, of('dip')),
    line('dip', dip.dip, of('dip')),
    line('fall', shape.fall, of('fall')),
    line('blank', shape.blank, of('blank'), rows === 1 ? 0.8 : 0.28),
  ]
  return trusted(
    `<svg viewBox="0 0 ${columns} ${rows}" preserveAspectRatio="none" aria-hidden="true">${lines.join('')}</svg>`,
  )
}

type Run = { level: Level; column: number; row: number; length: number }

/** Cells of one level that lie side by side. */
function runsOf(days: readonly Day[], rows: number, lead: number): Run[] {
  const runs: Run[] = []
  for (let row = 0; row < rows; row++) {
    let run: Run | undefined
    for (let column = 0; column * rows + row - lead < days.length; column++) {
      const day = days[column * rows + row - lead]
      if (day === undefined) continue
      if (run?.level === day.level) run.length++
      else {
        run = { level: day.level, column, row, length: 1 }
        runs.push(run)
      }
    }
  }
  return runs
}

/** @param width of a day's dash, as the style has it; what is left of its cell lies to both sides */
function line(level: Level, [top, foot]: Band, runs: Run[], width = 0.8): string {
  if (runs.length === 0) return ''
  const gap = (1 - width) / 2
  let path = ''
  let [x, y] = [0, 0]
  // From where the last one ended: the same steps come again and again, and cost little when they are compressed.
  for (const { column, row, length } of runs) {
    const [left, middle] = [column + gap, row + (top + foot) / 2]
    path += `${path === '' ? 'M' : 'm'}${short(left - x)} ${short(middle - y)}h${short(length - 2 * gap)}`
    x = left + length - 2 * gap
    y = middle
  }
  return `<path class="${level}" d="${path}" stroke-width="${short(foot - top)}"/>`
}

const short = (value: number): string => String(Math.round(value * 100) / 100).replace(/^(-?)0\./, '$1.')
