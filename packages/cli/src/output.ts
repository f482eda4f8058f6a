import type { ListMeta } from '@watchpost/contract'
import { escapeDocument, escapeText, isUnsafe } from './escape.ts'
import { type Io, type Sink, wantsColour } from './io.ts'
import { paint, renderTable } from './table.ts'
import { UsageError } from './usage-error.ts'
import type { View } from './view.ts'
import { textWidth } from './width.ts'

export const outputFormats = ['table', 'json', 'yaml', 'name'] as const
export type OutputFormat = (typeof outputFormats)[number]

export function parseOutputFormat(text: string): OutputFormat {
  const found = outputFormats.find(format => format === text)
  if (found === undefined) throw new UsageError(`--output: must be one of ${outputFormats.join(', ')}, not "${text}"`)
  return found
}

/** Writes data to standard output in the form asked for, and everything else to standard error. */
export class Output {
  readonly format: OutputFormat
  readonly colour: boolean
  readonly #io: Io

  constructor(io: Io, format: OutputFormat, colour = wantsColour(io.stdout, io.env)) {
    this.#io = io
    this.format = format
    this.colour = colour
  }

  /** A line for the person, not for the script. */
  note(text: string): void {
    this.#io.stderr.write(`${escapeText(text)}\n`)
  }

  /** A line of data. */
  line(text: string): void {
    this.#write(`${escapeText(text)}\n`)
  }

  /** Lines of data that are safe and painted already. */
  text(text: string): void {
    this.#write(text)
  }

  /** An object on one line. */
  jsonLine(value: unknown): void {
    this.#write(`${escapeDocument(JSON.stringify(value))}\n`)
  }

  /** An answer that is not JSON: a pipe gets it as it is, a terminal without what it would obey. */
  document(text: string): void {
    this.#write(this.#io.stdout.isTTY === true ? escapeDocument(text) : text)
  }

  /** A page of things. */
  async list<Row>(data: Row[], meta: ListMeta, view: View<Row>): Promise<void> {
    if (this.format === 'name') this.#write(data.map(row => `${escapeText(view.name(row))}\n`).join(''))
    else if (this.format !== 'table') await this.serialise({ data, meta })
    else if (data.length === 0) this.note(meta.total > 0 ? `No ${view.plural} on this page.` : `No ${view.plural}.`)
    else this.#write(renderTable(view.columns, data, this.#look()))
    if (this.format === 'table' && meta.total_pages > meta.page) {
      this.note(`${data.length} of ${meta.total} ${view.plural}; --page ${meta.page + 1} for more, --all for all.`)
    }
  }

  /** One thing with all its fields. */
  async item<Row extends object>(data: Row, view: View<Row>): Promise<void> {
    if (this.format === 'name') this.#write(`${escapeText(view.name(data))}\n`)
    else if (this.format !== 'table') await this.serialise(data)
    else this.#write(this.#details(data, view))
  }

  /** What a deletion answers: the message for people, `null` for scripts. */
  async gone(message: string): Promise<void> {
    if (this.format === 'table') this.note(message)
    else if (this.format !== 'name') await this.serialise(null)
  }

  /** Any value as JSON or YAML. */
  async serialise(value: unknown): Promise<void> {
    if (this.format === 'yaml') this.#write(await toYaml(value))
    else this.#write(`${escapeDocument(JSON.stringify(value, null, 2))}\n`)
  }

  #details<Row extends object>(data: Row, view: View<Row>): string {
    const parts = view.parts ?? []
    const fields = flatten(data).filter(
      ([name]) => !parts.some(({ field }) => name === field || name.startsWith(`${field}.`)),
    )
    const widest = Math.max(...fields.map(([name]) => textWidth(name)))
    const tones = Object.fromEntries(
      view.columns.map(column => [column.title.toLowerCase().replaceAll(' ', '_'), column.tone?.(data)]),
    )
    const lines = fields.map(([name, value]) => {
      const label = paint(`${name}:`.padEnd(widest + 2), 'dim', this.colour)
      return `${label}${paint(escapeText(value), tones[name], this.colour)}\n`
    })
    const tables = parts
      .map(part => ({ part, rows: part.rows(data) }))
      .filter(({ rows }) => rows.length > 0)
      .map(({ part, rows }) => `\n${renderTable(part.columns, rows, this.#look())}`)
    return lines.join('') + tables.join('')
  }

  #look() {
    return { width: tableWidth(this.#io.stdout), colour: this.colour, now: Date.now() }
  }

  #write(text: string): void {
    this.#io.stdout.write(text)
  }
}

/** A file or a pipe has no edge; nothing is cut there. */
function tableWidth(sink: Sink): number {
  return sink.isTTY === true ? (sink.columns ?? 80) : Number.POSITIVE_INFINITY
}

/** Fields of a thing and of the objects in it, a line each, named as JSON and the flags name them. */
function flatten(value: object, prefix = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, field]): [string, string][] => {
    const name = prefix + key
    if (field === null) return [[name, '-']]
    if (Array.isArray(field)) return [[name, field.length === 0 ? '-' : field.map(inline).join(', ')]]
    if (typeof field === 'object' && prefix === '') {
      const inner = flatten(field, `${name}.`)
      return inner.length === 0 ? [[name, '-']] : inner
    }
    return [[name, inline(field)]]
  })
}

function inline(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

async function toYaml(value: unknown): Promise<string> {
  const { Document, visit } = await import('yaml')
  const document = new Document(value)
  visit(document, {
    Scalar(_, node) {
      // Only double quotes can hold an escape.
      if (typeof node.value === 'string' && isUnsafe(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  return escapeDocument(document.toString({ lineWidth: 0 }))
}
