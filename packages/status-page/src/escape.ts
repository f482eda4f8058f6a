const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

// Control characters have no meaning in HTML, and NUL changes what a parser sees. Tab and newline stay.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** Makes any text safe as HTML text and inside a double-quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(control, '')
    .replace(/[&<>"']/g, character => entities[character] as string)
}

/** Makes any text a CSS string that can end neither itself nor its <style> element. */
export function cssString(text: string): string {
  const safe = text.toWellFormed().replace(/[^ \p{L}\p{N}.,:%()–-]/gu, c => `\\${c.codePointAt(0)?.toString(16)} `)
  return `"${safe}"`
}
