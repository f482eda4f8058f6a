import type { Level } from './days.ts'
import { type Html, html, trusted } from './html.ts'

// Four outlines and not only four colours: a disc, a triangle, an octagon and a broken ring.
const shapes: Record<Level, string> = {
  up: '<circle cx="10" cy="10" r="9"/><path class="cut" d="m6 10.3 2.8 2.8L14 7.6"/>',
  dip: '<path d="M8.5 2 .9 15.6A1.6 1.6 0 0 0 2.3 18h15.4a1.6 1.6 0 0 0 1.4-2.4L11.5 2a1.7 1.7 0 0 0-3 0Z"/><path class="cut" d="M10 7v4.5M10 14.5v.1"/>',
  fall: '<path d="M6.3 1h7.4L19 6.3v7.4L13.7 19H6.3L1 13.7V6.3Z"/><path class="cut" d="m7 7 6 6m0-6-6 6"/>',
  blank: '<circle class="ring" cx="10" cy="10" r="8"/><path class="ring dash" d="M6.5 10h7"/>',
}

/** The shapes, once per page; `icon` refers to them. */
export const iconSheet: Html = html`<svg class="shapes" aria-hidden="true">${Object.entries(shapes).map(
  ([level, shape]) => trusted(`<symbol id="i-${level}" viewBox="0 0 20 20">${shape}</symbol>`),
)}</svg>`

/** Decoration beside a word that says the same: hidden from screen readers. */
export const icon = (level: Level): Html =>
  html`<svg class="icon ${level}" aria-hidden="true"><use href="#i-${level}"/></svg>`

const faviconColours: Record<Level, string> = { up: '#059669', dip: '#c87407', fall: '#dc2626', blank: '#868e9a' }

/** The page's state in the browser's tab, without another request. */
export function favicon(level: Level): string {
  const style = `.cut{fill:none;stroke:#fff;stroke-width:2}.ring{fill:none;stroke:${faviconColours[level]};stroke-width:2}`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" fill="${faviconColours[level]}"><style>${style}</style>${shapes[level]}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
