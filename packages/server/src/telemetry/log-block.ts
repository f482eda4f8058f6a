import type { Attributes, AttributeValue, LogRecord, Origin } from '../ingest/rows.ts'
import { type Block, kinds, msOf, Origins, pack, packLines, Services, unpack, unpackBody } from './block.ts'
import { addAttributes, addWords, attributeHash, Bloom, wordOf } from './bloom.ts'

/** A record as a line of a body; what is at the end and says nothing is left out. */
type Line = [
  time: string,
  severity: number,
  severityText: string,
  origin: number,
  body: AttributeValue,
  attributes: Attributes,
  traceId?: string,
  spanId?: string,
  observed?: string,
  flags?: number,
  eventName?: string,
  dropped?: number,
]

export interface StoredLog {
  time: string
  severity: number
  severityText: string
  origin: Origin
  body: AttributeValue
  attributes: Attributes
  traceId: string
  spanId: string
}

const errorSeverity = 17

/** Blocks whose records were put together, in their order: the id of each, and how many of its records these are. */
export type Sources = [id: number, items: number][]

/**
 * Puts log records of one app into a block.
 * @param sources where they come from blocks
 */
export function packLogs(records: readonly LogRecord[], sources?: Sources): Block {
  const origins = new Origins()
  const services = new Services()
  const bloom = Bloom.of(records.length)
  const times = new Float64Array(records.length)
  const severities = new Uint8Array(records.length)
  const ofService = new Uint16Array(records.length)
  const lines: string[] = new Array(records.length)
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (let at = 0; at < records.length; at++) {
    const record = records[at] as LogRecord
    const ms = msOf(record.time)
    if (ms < first) first = ms
    if (ms > last) last = ms
    times[at] = ms
    severities[at] = record.severity
    ofService[at] = services.count(record.origin.resource.service, record.severity >= errorSeverity, ms)
    addAttributes(bloom, record.attributes)
    if (record.traceId !== '') bloom.add(traceHash(record.traceId))
    addWords(bloom, wordOf(record.body))
    lines[at] = lineOf(record, origins.placeOf(record.origin))
  }
  for (const { resource } of origins.all) addAttributes(bloom, resource.attributes)
  const sizes = new Float64Array([records.length])
  const columns = [sizes, times, ofService, severities]
  const parts = columns.map(column => new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
  return {
    kind: kinds.logs,
    items: records.length,
    first_at: Math.floor(Number.isFinite(first) ? first : 0),
    last_at: Math.ceil(last),
    services: services.toString(),
    head: pack(Buffer.concat([...parts, Buffer.from(JSON.stringify([services.names, sources ?? null]))])),
    bloom: bloom.bytes,
    body: packLines(origins, lines),
  }
}

export const traceHash = (traceId: string): number => attributeHash('\0trace', traceId)

function lineOf(record: LogRecord, origin: number): string {
  const { traceId, spanId, observed, flags, eventName, dropped } = record
  const line: unknown[] = [
    record.time,
    record.severity,
    record.severityText,
    origin,
    record.body,
    record.attributes,
    traceId,
    spanId,
    observed === record.time ? '' : observed,
    flags,
    eventName,
    dropped,
  ]
  while (line.length > 6 && (line.at(-1) === '' || line.at(-1) === 0)) line.pop()
  return JSON.stringify(line)
}

/** A head as it is read. */
export interface ReadLogHead {
  items: number
  services: string[]
  times: Float64Array
  service: Uint16Array
  severity: Uint8Array
  /** Undefined for records that lie where they were kept. */
  sources: Sources | undefined
}

export function readLogHead(packed: Uint8Array): ReadLogHead {
  const { buffer } = new Uint8Array(unpack(packed))
  const items = new Float64Array(buffer, 0, 1)[0] as number
  const rest = JSON.parse(Buffer.from(buffer, 8 + items * 11).toString('utf8'))
  // Earlier ones have nothing but the services.
  const [services, sources] = Array.isArray(rest[0]) ? rest : [rest, null]
  return {
    items,
    services,
    sources: sources ?? undefined,
    times: new Float64Array(buffer, 8, items),
    service: new Uint16Array(buffer, 8 + items * 8, items),
    severity: new Uint8Array(buffer, 8 + items * 10, items),
  }
}

/**
 * A name of each record that stays the same wherever it is put, in the order of arrival: the block that it was kept in, and
 * its place there.
 */
export function namesOf(id: number, { items, sources = [[id, items]] }: ReadLogHead): (at: number) => string {
  const ends: number[] = []
  for (const [, count] of sources) ends.push((ends.at(-1) ?? 0) + count)
  return at => {
    let source = 0
    while (at >= (ends[source] as number)) source++
    const place = at - (source === 0 ? 0 : (ends[source - 1] as number))
    return `${String((sources[source] as [number, number])[0]).padStart(16, '0')}.${String(place).padStart(5, '0')}`
  }
}

/** The lines of a body, each read when it is asked for. */
export class LogLines {
  private readonly lines: string[]
  private readonly origins: Origin[]

  constructor(body: Uint8Array) {
    this.lines = unpackBody(body).toString('utf8').split('\n')
    this.origins = JSON.parse(this.lines[0] as string)
  }

  get count(): number {
    return this.lines.length - 2
  }

  /** Before it is read: most of what does not match is told by its text. */
  text(at: number): string {
    return this.lines[at + 1] as string
  }

  /** As it was kept. */
  record(at: number): LogRecord {
    const [time, severity, severityText, origin, body, attributes, traceId = '', spanId = '', ...rest] = JSON.parse(
      this.text(at),
    ) as Line
    const [observed = '', flags = 0, eventName = '', dropped = 0] = rest
    const what = { time, observed: observed || time, severity, severityText, body, attributes, dropped, flags }
    return { origin: this.origins[origin] as Origin, ...what, traceId, spanId, eventName }
  }

  read(at: number): StoredLog {
    const [time, severity, severityText, origin, body, attributes, traceId = '', spanId = ''] = JSON.parse(
      this.text(at),
    ) as Line
    const from = this.origins[origin] as Origin
    return { time, severity, severityText, origin: from, body, attributes, traceId, spanId }
  }
}
