// C0 and C1 controls, DEL, line and paragraph separators, what changes the direction of text, and invisible characters
// that make two names look alike. A terminal obeys the first; a reader is fooled by the rest.
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const short: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '\\e' }

/** Text as it may be shown: a hostile name cannot drive the terminal, and stays on its line. */
export function escapeText(text: string): string {
  return text.replace(unsafe, char => short[char] ?? unicodeEscape(char))
}

/** Whether {@link escapeText} would change it. */
export function isUnsafe(text: string): boolean {
  return text.search(unsafe) >= 0
}

/** JSON, double-quoted YAML or a page, with controls other than tabs and line ends escaped: in JSON the same data. */
export function escapeDocument(text: string): string {
  return text.replace(unsafe, char => (char === '\n' || char === '\t' ? char : unicodeEscape(char)))
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
