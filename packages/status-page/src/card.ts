import { inkOn, safeColour } from './colour.ts'
import { escapeHtml } from './escape.ts'
import { light } from './palette.ts'
import type { ShownPage } from './shown-page.ts'
import { pageState } from './state.ts'
import { viewOf } from './view.ts'

const ink = { up: light.upInk, dip: light.dipInk, fall: light.fallInk, blank: light.blankInk }

/** The page's state as a picture for those who link to it, 1200 by 630. */
export function renderCard(payload: ShownPage): string {
  const view = viewOf(payload, new Date(payload.updated_at))
  const { level, headline, detail } = pageState(view)
  const brand = safeColour(payload.theme.primary_color)
  const rtl = view.words.direction === 'rtl'
  const line = (content: string, y: number, size: number, weight: number, colour: string, most: number) =>
    `<text x="${rtl ? 1120 : 80}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${colour}">${escapeHtml(cut(content, most))}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630" role="img" direction="${view.words.direction}" font-family="system-ui,Segoe UI,Roboto,DejaVu Sans,sans-serif"><title>${escapeHtml(`${payload.title}: ${headline}`)}</title><rect width="1200" height="630" fill="#fff"/><rect width="1200" height="24" fill="${brand}"/><rect x="${rtl ? 1024 : 80}" y="96" width="96" height="96" rx="24" fill="${brand}"/><text x="${rtl ? 1072 : 128}" y="164" font-size="56" font-weight="700" text-anchor="middle" fill="${inkOn(brand)}">${escapeHtml([...payload.title.trim()][0]?.toUpperCase() ?? '')}</text>${line(payload.title, 290, 64, 700, light.ink, 30)}${line(headline, 390, 52, 600, ink[level], 38)}${line(detail.join(' · '), 460, 34, 400, light.soft, 60)}</svg>`
}

function cut(content: string, most: number): string {
  const letters = [...content]
  return letters.length <= most ? content : `${letters.slice(0, most - 1).join('')}…`
}
