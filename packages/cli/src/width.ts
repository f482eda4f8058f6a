// Made when the first name needs it: it takes milliseconds, and most names are ASCII.
let segmenter: Intl.Segmenter | undefined
const graphemesOf = (text: string) => {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}
// The blocks of Unicode's East Asian Width W and F that names of things are written in.
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
const ascii = /^[\x20-\x7e]*$/

/** Columns that the text takes on a terminal. */
export function textWidth(text: string): number {
  if (ascii.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment)
  return width
}

/** The text in exactly `width` columns: cut with an ellipsis, or padded on the side that `right` says. */
export function fitText(text: string, width: number, right = false): string {
  const natural = textWidth(text)
  const fitted = natural <= width ? text : cut(text, width)
  const padding = ' '.repeat(Math.max(0, width - (natural <= width ? natural : textWidth(fitted))))
  return right ? padding + fitted : fitted + padding
}

/** The text in lines of at most `width` columns, broken between words where there are some; nothing is left out. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (textWidth(longer) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const { segment } of graphemesOf(word)) {
      if (line !== '' && textWidth(line + segment) > width) {
        lines.push(line)
        line = ''
      }
      line += segment
    }
  }
  return line === '' ? lines : [...lines, line]
}

function cut(text: string, width: number): string {
  let kept = ''
  let used = 0
  for (const { segment } of graphemesOf(text)) {
    const next = graphemeWidth(segment)
    if (used + next > width - 1) break
    kept += segment
    used += next
  }
  return width < 1 ? '' : `${kept}…`
}

function graphemeWidth(grapheme: string): number {
  // Here, since what a letter is takes a millisecond to be read, wherever it is first asked.
  if (/\p{Emoji_Presentation}|\ufe0f/u.test(grapheme) || wide.test(grapheme)) return 2
  return /^\p{M}+$/u.test(grapheme) ? 0 : 1
}
