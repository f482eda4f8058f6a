import { hash } from 'node:crypto'

export type Allowed = {
  /** Texts of the document's own style and script elements. */
  styles: readonly string[]
  scripts?: readonly string[]
  /** Which sites may show it within a page of theirs. */
  framedBy?: "'self'" | '*'
  /** Whether it has a form, which goes to the site it came from. */
  form?: boolean
}

/**
 * The policy a rendered page needs and no more, for the header of the answer that carries it. What it holds is named by
 * its hash, so that the page is the same bytes for everybody, and can be kept and compressed once. `data:` is the icon
 * in the browser's tab.
 */
export function contentSecurityPolicy({ styles, scripts = [], framedBy = "'self'", form = false }: Allowed): string {
  return [
    "default-src 'none'",
    `style-src ${sources(styles)}`,
    `script-src ${sources(scripts)}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${form ? "'self'" : "'none'"}`,
    `frame-ancestors ${framedBy}`,
  ].join('; ')
}

function sources(texts: readonly string[]): string {
  if (texts.length === 0) return "'none'"
  return texts.map(text => `'sha256-${hash('sha256', text, 'base64')}'`).join(' ')
}
