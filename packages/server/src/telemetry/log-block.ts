import type { LogRecord, Origin } from '../ingest/rows.ts'
import { type Block, kinds, Origins, pack, packText, Services, unpack, unpackBody } from './block.ts'
import { addAttributes, Bloom } from './bloom.ts'
import { readRecord, setOrigin } from './log-line.ts'
import { addPart, itemsOf, linesOf } from './prepared.ts'
import type { LogPart } from './prepared-logs.ts'

const errorSeverity = 17

/** Blocks whose records were put together, in their order: the id of each, and how many of its records these are. */
export type Sources = [id: number, items: number][]

/**
 * Puts log records of one app into a block.
 * @param sources where they come from blocks
 */
export function packLogs(parts: readonly LogPart[], sources?: Sources): Block {
  const items = itemsOf(parts)
  const origins = new Origins()
  const services = new Services()
  const bloom = Bloom.of(items)
  const times = new Float64Array(items)
  const severities = new Uint8Array(items)
  const ofService = new Uint16Array(items)
  let first = Number.POSITIVE_INFINITY
  let last = 0
  let at = 0
  // Many come one after the other from the same.
  let origin: Origin | undefined
  let sender = 0
  let service = 0
  for (const part of parts) {
    const { prepared, from, to } = part
    for (let place = from; place < to; place++) {
      const ms = prepared.times[place] as number
      const severity = prepared.severities[place] as number
      if (prepared.origins[place] !== origin) {
        origin = prepared.origins[place] as Origin
        sender = origins.placeOf(origin)
        service = services.placeOf(origin.resource.service)
      }
      if (ms < first) first = ms
      if (ms > last) last = ms
      times[at] = ms
      severities[at] = severity
      ofService[at++] = service
      services.count(service, severity >= errorSeverity, ms)
      setOrigin(prepared.text, prepared.originAt[place] as number, sender)
    }
    if (prepared.isLong) bloom.fill()
    else addPart(bloom, part)
  }
  for (const { resource } of origins.all) addAttributes(bloom, resource.attributes)
  const sizes = new Float64Array([items])
  const columns = [sizes, times, ofService, severities]
  const bytes = columns.map(column => new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
  return {
    kind: kinds.logs,
    items,
    first_at: Math.floor(Number.isFinite(first) ? first : 0),
    last_at: Math.ceil(last),
    services: services.toString(),
    head: pack(Buffer.concat([...bytes, Buffer.from(JSON.stringify([services.names, sources ?? null]))])),
    bloom: bloom.bytes,
    body: packText(origins, parts.map(linesOf)),
  }
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
  readonly origins: Origin[]

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
    return readRecord(this.text(at), this.origins)
  }
}
