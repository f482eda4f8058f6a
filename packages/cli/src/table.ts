import { escapeText } from './escape.ts'
import { briefMoment } from './format/time.ts'
import { fitText, textWidth, wrapText } from './width.ts'

/** What a cell means; a surface chooses the colour. */
export type Tone = 'good' | 'bad' | 'warn' | 'dim'

export interface Column<Row> {
  title: string
  cell(row: Row, now: number): string
  tone?(row: Row): Tone | undefined
  /** Numbers stand right. */
  right?: boolean
  /** May be cut down to this many columns of the terminal; without it, it keeps its width. */
  least?: number
  /** Its cells are moments, said in short where there is too little room. */
  moment?: true
  /** On a terminal in lines of its own beneath the row: evidence is not to be cut. */
  below?: true
  /** Left out first where the terminal is narrow, the highest number before the others. */
  optional?: number
}

export interface Cell {
  text: string
  tone: Tone | undefined
}

export interface Layout {
  header: string[]
  rows: Cell[][]
}

const gap = 2
const indent = ' '.repeat(4)
export const gapText = ' '.repeat(gap)

/**
 * Rows as cells of equal width, escaped, that fit into `width` columns.
 * Optional columns go until the rest can be cut to fit; before the last of them goes, moments are said in short. Then
 * what may be cut is cut, the widest first; and where that is not enough, whatever is text.
 */
export function layOut<Row>(columns: Column<Row>[], rows: Row[], width: number, now: number): Layout {
  const read = (brief: boolean) =>
    rows.map(row =>
      columns.map(column => {
        const text = escapeText(column.cell(row, now))
        return brief && column.moment ? briefMoment(text) : text
      }),
    )
  const measure = () =>
    columns.map(({ title }, index) =>
      texts.reduce((most, line) => Math.max(most, textWidth(line[index] ?? '')), textWidth(title)),
    )
  let isBrief = false
  let texts = read(isBrief)
  let natural = measure()
  let shown = columns.map((_, index) => index)
  const atMost = (index: number, most: number) => Math.min(natural[index] ?? 0, most)
  const least = (index: number) => atMost(index, columns[index]?.least ?? Number.POSITIVE_INFINITY)
  const total = (each: (index: number) => number) =>
    shown.reduce((sum, index) => sum + each(index), gap * (shown.length - 1))
  while (total(least) > width) {
    const leaving = shown.reduce((a, b) => ((columns[b]?.optional ?? 0) > (columns[a]?.optional ?? 0) ? b : a))
    const rank = columns[leaving]?.optional ?? 0
    if (rank <= 1 && !isBrief) {
      isBrief = true
      texts = read(isBrief)
      natural = measure()
    } else if (rank === 0) break
    else shown = shown.filter(index => index !== leaving)
  }
  const widths = [...natural]
  // A number that is cut is another number: those go last.
  const floors = [
    least,
    (index: number) => (columns[index]?.least === undefined ? (natural[index] ?? 0) : atMost(index, 6)),
    (index: number) => (columns[index]?.right ? (natural[index] ?? 0) : atMost(index, 4)),
    () => 1,
  ]
  for (const floor of floors) {
    for (let over = total(index => widths[index] ?? 0) - width; over > 0; over--) {
      const widest = shown
        .filter(index => (widths[index] ?? 0) > floor(index))
        .reduce<number | undefined>(
          (a, b) => (a === undefined || (widths[b] ?? 0) > (widths[a] ?? 0) ? b : a),
          undefined,
        )
      if (widest === undefined) break
      widths[widest] = (widths[widest] ?? 0) - 1
    }
  }
  const fit = (text: string, index: number) => fitText(text, widths[index] ?? 0, columns[index]?.right)
  return {
    header: shown.map(index => fit(columns[index]?.title ?? '', index)),
    rows: rows.map((row, line) =>
      shown.map(index => ({ text: fit(texts[line]?.[index] ?? '', index), tone: columns[index]?.tone?.(row) })),
    ),
  }
}

const styles = { good: [32, 39], bad: [31, 39], warn: [33, 39], dim: [2, 22], bold: [1, 22] } as const

/** Colours the text where colour is wanted. */
export function paint(text: string, tone: Tone | 'bold' | undefined, colour: boolean): string {
  if (!colour || tone === undefined) return text
  const [on, off] = styles[tone]
  return `\u001b[${on}m${text}\u001b[${off}m`
}

/** The table as text, one line a row, without spaces at the ends of lines. */
export function renderTable<Row>(
  columns: Column<Row>[],
  rows: Row[],
  { width, colour, now }: { width: number; colour: boolean; now: number },
): string {
  const hasEdge = Number.isFinite(width)
  const beside = columns.filter(column => !(hasEdge && column.below))
  const beneath = columns.filter(column => !beside.includes(column))
  const { header, rows: lines } = layOut(beside, rows, width, now)
  const text = lines.flatMap((cells, at) => [
    cells.map((cell, index) => painted(cell, index === cells.length - 1, colour)).join(gapText),
    ...beneath.flatMap(column => {
      const row = rows[at] as Row
      const inner = wrapText(escapeText(column.cell(row, now)), width - indent.length)
      return inner.map(line => indent + paint(line, column.tone?.(row), colour))
    }),
  ])
  return `${[paint(header.join(gapText).trimEnd(), 'bold', colour), ...text.map(line => line.trimEnd())].join('\n')}\n`
}

function painted({ text, tone }: Cell, last: boolean, colour: boolean): string {
  return paint(last ? text.trimEnd() : text, tone, colour)
}
