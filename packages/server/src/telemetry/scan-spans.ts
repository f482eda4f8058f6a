import type { Json } from '../ingest/json.ts'
import { spanOf } from '../ingest/otlp-traces.ts'
import type { Origin } from '../ingest/rows.ts'
import type { View } from '../ingest/view.ts'
import type { PreparedSpans } from './prepared-spans.ts'
import { Scan } from './scan.ts'
import {
  afterDigits,
  afterId,
  afterText,
  ascii,
  brace,
  braceEnd,
  digits,
  expect,
  Fields,
  giveUp,
  goesOn,
  msFrom,
  quote,
} from './scan-bytes.ts'
import { SpanColumns } from './span-columns.ts'

const names = {
  resources: new Fields(['resourceSpans']),
  scopes: new Fields(['resource', 'scopeSpans', 'schemaUrl']),
  items: new Fields(['scope', 'spans', 'schemaUrl']),
}

const at = {
  traceId: 0,
  spanId: 1,
  parentSpanId: 2,
  name: 3,
  kind: 4,
  startTimeUnixNano: 5,
  endTimeUnixNano: 6,
  attributes: 7,
  status: 8,
  flags: 9,
  // These are mostly empty, and left to the parser where they are not.
  events: 10,
  links: 11,
  traceState: 12,
  droppedAttributesCount: 13,
  droppedEventsCount: 14,
  droppedLinksCount: 15,
} as const
const fields = new Fields(Object.keys(at))
const empty = ['[]', '[]', '""', '0', '0', '0'].map(ascii)
const statusFields = new Fields(['code', 'message'])
/** The message of a status has a place behind the fields. */
const message = 16

/** Spans of a body of JSON as their block wants them; undefined where it has to be parsed. */
export function scanSpans(body: Buffer): PreparedSpans | undefined {
  try {
    return new SpanScan(body, names, fields).read()
  } catch {
    // Whatever it was, those who parse it say it.
    return undefined
  }
}

class SpanScan extends Scan {
  private readonly columns = new SpanColumns()
  private statusCode = 0

  read(): PreparedSpans {
    return this.columns.with(this.walk())
  }

  protected after(field: number, from: number): number {
    const { bytes } = this
    switch (field) {
      case at.traceId:
        return afterId(bytes, from, 32)
      case at.spanId:
        return afterId(bytes, from, 16)
      case at.parentSpanId:
        return bytes[from + 1] === quote ? afterText(bytes, from) : afterId(bytes, from, 16)
      case at.name:
        return afterText(bytes, from)
      case at.kind:
      case at.flags:
        return afterDigits(bytes, from)
      case at.startTimeUnixNano:
      case at.endTimeUnixNano:
        return this.time(field, from)
      case at.attributes:
        return this.attributes(from)
      case at.status:
        return this.status(from)
      default:
        return expect(this.view, from, empty[field - at.events] as View)
    }
  }

  private status(begin: number): number {
    const { bytes } = this
    if (bytes[begin] !== brace) giveUp()
    this.statusCode = 0
    if (bytes[begin + 1] === braceEnd) return begin + 2
    for (let from = begin + 1, last = -1; ; ) {
      const field = statusFields.find(this.view, from, last)
      if (field === last) giveUp()
      from += statusFields.lengthOf(field)
      const to = field === 0 ? afterDigits(bytes, from) : afterText(bytes, from)
      if (field === 0) this.statusCode = digits(bytes, from, to)
      else {
        this.begins[message] = from
        this.ends[message] = to
      }
      if (last >= 0 && bytes[to] !== braceEnd) giveUp()
      last = field
      from = to + 1
      if (!goesOn(bytes[to])) return from
    }
  }

  /** As `lineOf` does of what `spanOf` has read. */
  protected write(): void {
    const { bytes, begins, ends, nanos } = this
    const [id, span, start, end] = [at.traceId, at.spanId, at.startTimeUnixNano, at.endTimeUnixNano]
    if (ends[id] === 0 || ends[span] === 0 || ends[start] === 0 || ends[end] === 0) giveUp()
    const from = this.seconds[start] as number
    const seconds = (this.seconds[end] as number) - from
    const durationNs = Math.max(0, seconds * 1e9 + ((nanos[end] as number) - (nanos[start] as number)))
    const status = ends[at.status] === 0 ? 0 : this.statusCode
    this.putText('[')
    this.putField(id, '')
    this.putText(',')
    this.putField(span, '')
    this.putText(',')
    this.putField(at.parentSpanId, '""')
    this.putText(',')
    this.putField(at.name, '""')
    this.putText(',')
    this.putField(at.kind, '0')
    this.putText(',')
    this.putField(start, '')
    this.putText(`,${durationNs},${status},`)
    this.putField(message, '""')
    this.putText(',')
    this.putAside()
    if (ends[at.flags] !== 0 && bytes[begins[at.flags] as number] !== 0x30) {
      this.putText(',0,0,')
      this.putField(at.flags, '')
    }
    this.putText(']')
    const isRoot = (ends[at.parentSpanId] as number) - (begins[at.parentSpanId] as number) <= 2
    const ms = msFrom(from, nanos[start] as number)
    this.columns.set(this.count, this.textOf(id), this.textOf(at.name), ms, durationNs, status, isRoot)
  }

  protected parsed(item: Json, origin: Origin): string {
    const hashes: number[] = []
    const line = this.columns.setParsed(this.count, spanOf(item, origin), hashes)
    this.addHashes(hashes)
    return line
  }
}
