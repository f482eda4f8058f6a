import type { Json } from '../ingest/json.ts'
import { spanOf } from '../ingest/otlp-traces.ts'
import { type Origin, validSpanId, validTraceId } from '../ingest/rows.ts'
import { msOf, nanosBetween } from './block.ts'
import { addHashes } from './bloom.ts'
import type { PreparedSpans } from './prepared-spans.ts'
import {
  afterDigits,
  afterText,
  brace,
  braceEnd,
  digits,
  Fields,
  giveUp,
  goesOn,
  mostScanned,
  quote,
  Scan,
} from './scan.ts'
import { lineOf, markOf, rootBit, statusBits } from './span-line.ts'

const names = {
  resources: new Fields(['resourceSpans']),
  scopes: new Fields(['resource', 'scopeSpans', 'schemaUrl']),
  items: new Fields(['scope', 'spans', 'schemaUrl']),
}

const ofSpan = [
  'traceId',
  'spanId',
  'parentSpanId',
  'name',
  'kind',
  'startTimeUnixNano',
  'endTimeUnixNano',
  'attributes',
  'status',
  'flags',
  // What follows is mostly empty, and left to the parser where it is not.
  'events',
  'links',
  'traceState',
  'droppedAttributesCount',
  'droppedEventsCount',
  'droppedLinksCount',
]
const [traceId, spanId, parentSpanId, name, kind, start, end, attributes, status, flags] = ofSpan.keys()
const fields = new Fields(ofSpan)
const needed =
  (1 << (traceId as number)) | (1 << (spanId as number)) | (1 << (start as number)) | (1 << (end as number))
const statusFields = new Fields(['code', 'message'])
/** Of fields that are mostly empty: what they are then, by their place. */
const empty = ['[]', '[]', '""', '0', '0', '0'].map(text => Buffer.from(text))

const startMs = new Float64Array(mostScanned)
const durationMs = new Float64Array(mostScanned)
const marks = new Uint8Array(mostScanned)

/** Spans of a body of JSON as their block wants them; undefined where it has to be parsed. */
export function scanSpans(body: Buffer): PreparedSpans | undefined {
  try {
    return new SpanScan(body, names).read()
  } catch {
    // Whatever it was, those who parse it say it.
    return undefined
  }
}

class SpanScan extends Scan {
  private readonly traceIds: string[] = []
  private readonly spanNames: string[] = []
  /** Where each field of a span begins, and ends. */
  private readonly begins = new Int32Array(ofSpan.length + 1)
  private readonly ends = new Int32Array(ofSpan.length + 1)
  /** Of its status; the message has a place beside the fields. */
  private code = 0

  read(): PreparedSpans {
    const prepared = this.walk()
    const { count } = this
    return {
      ...prepared,
      traceIds: this.traceIds,
      names: this.spanNames,
      startMs: startMs.slice(0, count),
      durationMs: durationMs.slice(0, count),
      marks: marks.slice(0, count),
    }
  }

  protected usual(from: number): number {
    const { bytes, begins, ends } = this
    begins.fill(0)
    ends.fill(0)
    if (bytes[from] !== brace) giveUp()
    let seen = 0
    for (let at = from + 1, last = -1; ; ) {
      const field = fields.find(bytes, at, last)
      if ((seen & (1 << field)) !== 0) giveUp()
      seen |= 1 << field
      at += fields.lengthOf(field)
      begins[field] = at
      at = this.after(field, at)
      ends[field] = at
      last = field
      if (goesOn(bytes[at++])) continue
      if ((seen & needed) !== needed) giveUp()
      this.write()
      return at
    }
  }

  private after(field: number, at: number): number {
    switch (field) {
      case traceId:
        return this.afterId(at, 32)
      case spanId:
        return this.afterId(at, 16)
      case parentSpanId:
        return this.bytes[at + 1] === quote ? afterText(this.bytes, at) : this.afterId(at, 16)
      case name:
        return afterText(this.bytes, at)
      case kind:
      case flags:
        return afterDigits(this.bytes, at)
      case start:
      case end:
        return this.afterTime(at)
      case attributes:
        return this.attributes(at)
      case status:
        return this.status(at)
      default:
        return this.afterNothing(field, at)
    }
  }

  /** Hexadecimal digits in lower case, not all of them zero. */
  private afterId(from: number, length: number): number {
    const { bytes } = this
    const to = from + 1 + length
    let any = 0
    for (let at = from + 1; at < to; at++) {
      const byte = bytes[at] as number
      if (!((byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66))) giveUp()
      any |= byte ^ 0x30
    }
    return bytes[from] === quote && bytes[to] === quote && any !== 0 ? to + 1 : giveUp()
  }

  /** Nanoseconds in text, of this century. */
  private afterTime(from: number): number {
    const { bytes } = this
    const to = from + 20
    if (bytes[from] !== quote || bytes[to] !== quote) giveUp()
    for (let at = from + 1; at < to; at++) {
      const byte = bytes[at] as number
      if (!(byte >= 0x30 && byte <= 0x39)) giveUp()
    }
    // Beyond it seconds, times a thousand million, are not exact.
    return digits(bytes, from + 1, from + 11) < 4e9 ? to + 1 : giveUp()
  }

  private status(from: number): number {
    const { bytes, begins, ends } = this
    if (bytes[from] !== brace) giveUp()
    this.code = 0
    if (bytes[from + 1] === braceEnd) return from + 2
    for (let at = from + 1, last = -1; ; ) {
      const field = statusFields.find(bytes, at, last)
      if (field === last) giveUp()
      at += statusFields.lengthOf(field)
      if (field === 0) {
        const after = afterDigits(bytes, at)
        this.code = digits(bytes, at, after)
        at = after
      } else {
        begins[ofSpan.length] = at
        at = afterText(bytes, at)
        ends[ofSpan.length] = at
      }
      if (last >= 0 && bytes[at] !== braceEnd) giveUp()
      last = field
      if (!goesOn(bytes[at++])) return at
    }
  }

  private afterNothing(field: number, at: number): number {
    const text = empty[field - (flags as number) - 1] as Buffer
    for (let place = 0; place < text.length; place++) if (this.bytes[at + place] !== text[place]) giveUp()
    return at + text.length
  }

  /** As `lineOf` does. */
  private write(): void {
    const { bytes, begins, ends } = this
    const at = (field: number | undefined) => begins[field as number] as number
    const to = (field: number | undefined) => ends[field as number] as number
    const has = (field: number | undefined) => to(field) > 0
    const [from, until] = [at(start) + 1, at(end) + 1]
    const [fromS, untilS] = [digits(bytes, from, from + 10), digits(bytes, until, until + 10)]
    const [fromNs, untilNs] = [digits(bytes, from + 10, from + 19), digits(bytes, until + 10, until + 19)]
    // As `nanosBetween` and `msOf` do; the seconds are few enough for the product to be exact.
    const durationNs = Math.max(0, (untilS - fromS) * 1e9 + (untilNs - fromNs))
    const code = has(status) ? this.code : 0
    const isRoot = to(parentSpanId) - at(parentSpanId) <= 2
    this.putText('[')
    this.putRead(at(traceId), to(traceId))
    this.putText(',')
    this.putRead(at(spanId), to(spanId))
    this.putText(',')
    this.putField(parentSpanId, '""')
    this.putText(',')
    this.putField(name, '""')
    this.putText(',')
    this.putField(kind, '0')
    this.putText(',')
    this.putRead(at(start), to(start))
    this.putText(`,${durationNs},${code},`)
    this.putField(has(status) ? ofSpan.length : undefined, '""')
    this.putText(',')
    this.putAside()
    if (has(flags) && bytes[at(flags)] !== 0x30) {
      this.putText(',0,0,')
      this.putRead(at(flags), to(flags))
    }
    this.putText(']')
    const { count } = this
    this.traceIds[count] = bytes.toString('latin1', at(traceId) + 1, to(traceId) - 1)
    this.spanNames[count] = has(name) ? bytes.toString('latin1', at(name) + 1, to(name) - 1) : ''
    startMs[count] = (fromS * 1e9 + fromNs) / 1e6
    durationMs[count] = durationNs / 1e6
    marks[count] = (code & statusBits) | (isRoot ? rootBit : 0)
  }

  private putField(field: number | undefined, otherwise: string): void {
    const end = field === undefined ? 0 : (this.ends[field] as number)
    if (end === 0) this.putText(otherwise)
    else this.putRead(this.begins[field as number] as number, end)
  }

  protected other(item: Json, origin: Origin): string {
    const span = spanOf(item, origin)
    // Left out, and told of.
    if (!validTraceId(span.traceId) || !validSpanId(span.spanId)) giveUp()
    const { count } = this
    const durationNs = Math.max(0, nanosBetween(span.start, span.end))
    this.traceIds[count] = span.traceId
    this.spanNames[count] = span.name
    startMs[count] = msOf(span.start)
    durationMs[count] = durationNs / 1e6
    marks[count] = markOf(span)
    const hashes: number[] = []
    addHashes(hashes, span.attributes)
    this.addHashes(hashes)
    return lineOf(span, durationNs)
  }
}
