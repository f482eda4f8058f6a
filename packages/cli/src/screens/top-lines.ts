import type { Monitor } from '@watchpost/contract'
import { sayDuration } from '../duration.ts'
import { escapeText } from '../escape.ts'
import { milliseconds, percent, sayStatus, statusTone } from '../format/monitors.ts'
import { paint, type Tone } from '../table.ts'
import { nextCheck, type Row } from '../top/board.ts'
import { fitText } from '../width.ts'
import { sparkline } from './sparkline.ts'

export interface Look {
  columns: number
  colour: boolean
  now: number
}

interface Part {
  title: string
  width: number
  right?: boolean
  tone?: Tone | undefined
  text(row: Row, width: number, now: number): string
}

// Widths do not follow what is in them: a column that moves with each answer cannot be read.
const status: Part = { title: 'STATUS', width: 7, text: ({ monitor }) => sayStatus(monitor) }
const type: Part = { title: 'TYPE', width: 6, text: ({ monitor }) => String(monitor.type) }
const response: Part = {
  title: 'RESPONSE',
  width: 8,
  right: true,
  text: ({ monitor }) => milliseconds(monitor.response_time_ms),
}
const uptime: Part = { title: '24 H', width: 7, right: true, text: ({ monitor }) => percent(monitor.uptime_24h) }
const next: Part = { title: 'NEXT', width: 6, right: true, text: ({ monitor }, _, now) => sayNext(monitor, now) }
const history = (width: number): Part => ({
  title: 'LATEST',
  width,
  tone: 'dim',
  text: ({ times }) => sparkline(times.slice(-width)).padStart(width),
})

/** The columns that fit, the name taking what is left. */
function partsFor(columns: number): Part[] {
  const spark = history(columns >= 110 ? 30 : columns >= 72 ? 12 : 6)
  const wide = columns >= 100 ? [type] : []
  const rest = [spark, response, ...(columns >= 60 ? [uptime] : []), ...(columns >= 50 ? [next] : [])]
  const fixed = [status, ...wide, ...rest]
  const left = columns - 2 - fixed.reduce((sum, { width }) => sum + width + 2, 0)
  const name: Part = { title: 'NAME', width: Math.max(8, left), text: ({ monitor }) => nameAndTarget(monitor, left) }
  return [status, name, ...wide, ...rest]
}

/** The line over the rows. */
export function headLine({ columns, colour }: Look): string {
  const titles = partsFor(columns).map(({ title, width, right }) => fitText(title, width, right))
  return paint(fitText(`  ${titles.join('  ')}`, columns), 'dim', colour)
}

/** A row as one line with its colours; pure. */
export function rowLine(row: Row, chosen: boolean, { columns, colour, now }: Look): string {
  const cells = partsFor(columns).map(part => {
    const text = fitText(part.text(row, part.width, now), part.width, part.right)
    const tone = part === status ? statusTone(sayStatus(row.monitor)) : part.tone
    return paint(text, tone, colour)
  })
  const line = `${chosen ? '❯' : ' '} ${cells.join('  ')}`
  return chosen ? paint(line, 'bold', colour) : line
}

function nameAndTarget({ name, target }: Monitor, width: number): string {
  const text = escapeText(name)
  return width < 44 ? text : `${fitText(text, Math.floor(width / 2))}  ${escapeText(target)}`
}

function sayNext(monitor: Monitor, now: number): string {
  const due = nextCheck(monitor)
  if (due === undefined) return '-'
  return due <= now ? 'now' : sayDuration(due - now)
}
