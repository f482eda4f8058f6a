import { daysOn, type Level, meanUptime } from './days.ts'
import { escapeHtml } from './escape.ts'
import { light } from './palette.ts'
import type { ShownPage } from './shown-page.ts'
import { levelOf, pageState, saidOf } from './state.ts'
import { viewOf } from './view.ts'

export type BadgeOptions = {
  /** Of one monitor on the page, not of all. */
  monitor?: number | undefined
  /** The left half, in place of the usual word. */
  label?: string | undefined
}

const colours: Record<Level, string> = {
  up: light.upInk,
  dip: light.dipInk,
  fall: light.fallInk,
  blank: light.blankInk,
}

/** How it stands, as a picture of one line; undefined where the page does not show the monitor. */
export function statusBadge(payload: ShownPage, { monitor, label }: BadgeOptions): string | undefined {
  const view = viewOf(payload, new Date(payload.updated_at))
  const { words } = view
  if (monitor === undefined) {
    const { level, headline } = pageState(view)
    return badge(label ?? words.status, headline, level)
  }
  const shown = payload.monitors.find(({ id }) => id === monitor)
  if (shown === undefined) return undefined
  const said = saidOf(shown)
  return badge(label ?? shown.display_name ?? shown.name, words[said], levelOf(said))
}

/** The uptime over the days that the page shows; undefined where the page does not show it of the monitor. */
export function uptimeBadge(payload: ShownPage, { monitor, label }: BadgeOptions): string | undefined {
  const view = viewOf(payload, new Date(payload.updated_at))
  const { words, format, axis } = view
  const subject = monitor === undefined ? payload : payload.monitors.find(({ id }) => id === monitor)
  if (subject === undefined || ('show_uptime' in subject && !subject.show_uptime)) return undefined
  const uptime = meanUptime(daysOn(axis, subject.uptime_history))
  const span = `${words.uptime}${words.comma}${words.overDays(axis.length)}`
  const name = label ?? span.charAt(0).toLocaleUpperCase(words.locale) + span.slice(1)
  if (uptime === undefined) return badge(name, words.noUptime, 'blank')
  return badge(name, format.percent(uptime), uptime >= 99 ? 'up' : uptime >= 95 ? 'dip' : 'fall')
}

const longest = 60

function badge(label: string, value: string, level: Level): string {
  const [left, right] = [fitted(label), fitted(value)] as const
  const [leftWidth, rightWidth] = [widthOf(left) + 14, widthOf(right) + 14] as const
  const width = leftWidth + rightWidth
  const word = (content: string, from: number, across: number) =>
    `<text x="${from + across / 2}" y="14" textLength="${across - 14}" lengthAdjust="spacingAndGlyphs">${escapeHtml(content)}</text>`
  const said = escapeHtml(`${left}: ${right}`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${said}"><title>${said}</title><clipPath id="r"><rect width="${width}" height="20" rx="4"/></clipPath><g clip-path="url(#r)"><rect width="${leftWidth}" height="20" fill="#30363f"/><rect x="${leftWidth}" width="${rightWidth}" height="20" fill="${colours[level]}"/></g><g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">${word(left, 0, leftWidth)}${word(right, leftWidth, rightWidth)}</g></svg>`
}

function fitted(content: string): string {
  const letters = [...content]
  return letters.length <= longest ? content : `${letters.slice(0, longest - 1).join('')}…`
}

/** About as wide as Verdana sets it at 11 pixels; `textLength` sees to the rest. */
function widthOf(content: string): number {
  let width = 0
  for (const letter of content) {
    if (/[ijlI.,:;|!'’ ]/.test(letter)) width += 4
    else if (/[mwMW%@]/.test(letter)) width += 10
    else if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(letter)) width += 11
    else if (/\p{M}/u.test(letter)) width += 0
    else width += /\p{Lu}/u.test(letter) ? 7.8 : 6.8
  }
  return Math.ceil(width)
}
