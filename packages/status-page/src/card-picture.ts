import { mix, safeColour } from './colour.ts'
import { daysOn, type Level } from './days.ts'
import { light } from './palette.ts'
import { encodePng } from './png.ts'
import type { ShownPage } from './shown-page.ts'
import { pageState } from './state.ts'
import { viewOf } from './view.ts'

type Line = [x1: number, y1: number, x2: number, y2: number]

/** What is cut out of the disc, seen from its middle: a tick, a mark, a cross, a dash. */
const signs: Record<Level, Line[]> = {
  up: [
    [-56, 6, -18, 44],
    [-18, 44, 58, -36],
  ],
  dip: [
    [0, -62, 0, 14],
    [0, 60, 0, 60],
  ],
  fall: [
    [-44, -44, 44, 44],
    [-44, 44, 44, -44],
  ],
  blank: [[-52, 0, 52, 0]],
}
const stroke = 13
const disc = { x: 600, y: 236, radius: 132 }
const [width, height] = [1200, 630]
/** Where a day stands, and how high: one with little downtime is cut, one with much is longer, as on the page. */
const bars: Record<Level, [level: Level, top: number, height: number][]> = {
  up: [['up', 440, 110]],
  dip: [
    ['up', 440, 66],
    ['dip', 512, 54],
  ],
  fall: [['fall', 440, 126]],
  blank: [['blank', 490, 9]],
}

/** The state of the page and its days, for programs that read no SVG: a sign and bars, no words. 1200 by 630. */
export function renderCardPicture(payload: ShownPage): Buffer {
  const view = viewOf(payload, new Date(payload.updated_at))
  const { level } = pageState(view)
  // White, the page's colour, the days', and of the sign's from hardly to all of it: what makes edges smooth.
  const shades = [0.25, 0.5, 0.75, 1].map(share => mix('#ffffff', light[level], share))
  const palette = [
    '#ffffff',
    safeColour(payload.theme.primary_color),
    light.up,
    light.dip,
    light.fall,
    light.blank,
    ...shades,
  ]
  const pixels = new Uint8Array(width * height).fill(1, 0, 24 * width)
  drawSign(pixels, signs[level], palette.length - shades.length)
  const days = daysOn(view.axis, payload.uptime_history).slice(-90)
  if (view.words.direction === 'rtl') days.reverse()
  const step = Math.floor((width - 120) / Math.max(days.length, 30))
  const left = Math.round((width - step * days.length + step * 0.3) / 2)
  for (const [at, day] of days.entries()) {
    for (const [colour, top, length] of bars[day.level]) {
      const ink = palette.indexOf(light[colour])
      for (let row = top; row < top + length; row++) {
        const from = row * width + left + at * step
        pixels.fill(ink, from, from + Math.round(step * 0.7))
      }
    }
  }
  return encodePng(pixels, width, palette)
}

/** @param faintest the colour of a pixel of which a quarter is covered; more of it follow */
function drawSign(pixels: Uint8Array, lines: readonly Line[], faintest: number): void {
  for (let y = -disc.radius; y <= disc.radius; y++) {
    for (let x = -disc.radius; x <= disc.radius; x++) {
      let inside = disc.radius - Math.hypot(x, y)
      for (const line of lines) inside = Math.min(inside, distance(x, y, line) - stroke)
      const covered = Math.round(Math.min(1, inside + 0.5) * 4)
      if (covered > 0) pixels[(disc.y + y) * width + disc.x + x] = faintest + covered - 1
    }
  }
}

/** From a point to the nearest of a line. */
function distance(x: number, y: number, [x1, y1, x2, y2]: Line): number {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const along = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)
  const at = Math.min(1, Math.max(0, along))
  return Math.hypot(x - x1 - at * dx, y - y1 - at * dy)
}
