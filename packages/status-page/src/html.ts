import { escapeHtml } from './escape.ts'

/** Markup that has been made by `html` or vouched for by `trusted`; everything else is text and is escaped. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Part = Html | string | number | false | undefined | null | readonly Part[]

const indentation = /\n\s*/g

// A template's own text is the same array on every call, so its indentation is removed once.
const compacted = new WeakMap<TemplateStringsArray, string[]>()

/** Builds markup: whatever is interpolated is escaped unless it is `Html` itself; `false` and `null` are nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  let texts = compacted.get(strings)
  if (!texts) {
    texts = strings.map(text => text.replace(indentation, ''))
    compacted.set(strings, texts)
  }
  let markup = texts[0] as string
  for (let i = 0; i < parts.length; i++) markup += render(parts[i]) + texts[i + 1]
  return new Html(markup)
}

/** Vouches for markup that holds no user text. */
export const trusted = (markup: string): Html => new Html(markup)

function render(part: Part): string {
  if (part instanceof Html) return part.markup
  if (part === false || part === null || part === undefined) return ''
  if (typeof part === 'object') return part.map(render).join('')
  return escapeHtml(String(part))
}
