import { contentSecurityPolicy } from './content-security-policy.ts'
import { html, trusted } from './html.ts'
import { icon, iconSheet } from './icons.ts'
import { layoutOf } from './layout.ts'
import { openBody, openHtml, type Rendered } from './page.ts'
import { paletteCss } from './palette.ts'
import type { ShownPage } from './shown-page.ts'
import { pageState } from './state.ts'
import { viewOf, written } from './view.ts'

const sheet = `*{box-sizing:border-box;margin:0;padding:0}
body{background:transparent;color:var(--ink);font:15px/1.35 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
a{display:flex;align-items:center;gap:.625rem;min-height:3.5rem;padding:.5rem .875rem;border:1px solid var(--line);border-radius:.75rem;background:var(--card);color:inherit;text-decoration:none}
a:hover h1{text-decoration:underline}
a:focus-visible{outline:2px solid var(--accent);outline-offset:-3px}
.icon{flex:none;width:1.375rem;height:1.375rem;fill:currentColor}
.cut,.ring{fill:none;stroke:var(--card);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}.ring{stroke:currentColor}
.up{color:var(--upInk)}.dip{color:var(--dipInk)}.fall{color:var(--fallInk)}.blank{color:var(--blankInk)}
h1{font-size:1em;font-weight:600;overflow-wrap:anywhere}small{font-size:.8125rem;color:var(--soft)}
.shapes{display:none}`.replaceAll('\n', '')

/** The state of the page in one line, to be shown within a page of another site. It neither asks nor keeps anything. */
export function renderWidget(payload: ShownPage, url: string): Rendered {
  const view = viewOf(payload, new Date(payload.updated_at))
  const { level, headline } = pageState(view)
  const { theme, title } = payload
  const style = paletteCss(theme.primary_color, layoutOf(theme.layout).scheme) + sheet
  const body = `<!doctype html>${
    html`${openHtml(view)}<head><meta charset="utf-8"><title>${title} – ${headline}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
    <style>${trusted(style)}</style></head>${openBody(view)}${iconSheet}<main>
    <a href="${url}" target="_blank" rel="noopener">${icon(level)}<div><h1>${headline}</h1><small>${written(title, view)}</small></div></a>
    </main></body></html>`.markup
  }`
  return { body, policy: contentSecurityPolicy({ styles: [style], framedBy: '*' }) }
}
