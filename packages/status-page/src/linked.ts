import { type Html, html } from './html.ts'

const address = /https?:\/\/[^\s<>"]+/g
/** What follows an address in a sentence, and is none of it. */
const after = /[.,;:!?'’”»)\]}]+$/

/** Text that people wrote, with the addresses in it as links. */
export function linked(text: string): Html {
  const parts: (Html | string)[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    const url = within(found)
    if (!URL.canParse(url)) continue
    parts.push(text.slice(end, index), html`<a href="${url}" rel="nofollow noopener">${url}</a>`)
    end = index + url.length
  }
  return html`${[...parts, text.slice(end)]}`
}

/** Brackets that were opened within an address belong to it. */
function within(found: string): string {
  const [tail = ''] = after.exec(found) ?? []
  const bare = found.slice(0, found.length - tail.length)
  return tail.startsWith(')') && bare.includes('(') ? `${bare})` : bare
}
