import type { Reader } from '../ingest/protobuf.ts'
import { readSpan } from '../ingest/protobuf-traces.ts'
import type { Origin } from '../ingest/rows.ts'
import type { PreparedSpans } from './prepared-spans.ts'
import { comma } from './scan-bytes.ts'
import { fixed32, fixed64, nothing, ProtobufScan, sized, varint } from './scan-protobuf.ts'
import { SpanColumns } from './span-columns.ts'

/** Numbers of fields. */
const at = {
  traceId: 1,
  spanId: 2,
  parentSpanId: 4,
  name: 5,
  kind: 6,
  start: 7,
  end: 8,
  status: 15,
  flags: 16,
} as const
const attributes = 9
/** The message of a status has a place behind the fields. */
const message = 17

const fields: number[] = []
for (const field of [at.traceId, at.spanId, at.parentSpanId, at.name, at.status]) fields[field] = sized
for (const field of [at.start, at.end]) fields[field] = fixed64
fields[at.kind] = varint
fields[at.flags] = fixed32
// The state of a trace, and how many attributes, events and links were left out.
for (const field of [3, 10, 12, 14]) fields[field] = nothing

/** Spans of a body of protobuf as their block wants them; undefined where objects have to be made of it. */
export function scanProtobufSpans(body: Buffer): PreparedSpans | undefined {
  try {
    return new SpanScan(body, fields, attributes).read()
  } catch {
    // Whatever it was, those who make objects say it.
    return undefined
  }
}

class SpanScan extends ProtobufScan {
  private readonly columns = new SpanColumns()

  read(): PreparedSpans {
    return this.columns.with(this.walk())
  }

  /** As `lineOf` does of what `readSpan` has read. */
  protected write(): void {
    const begin = this.to
    this.putText('[')
    this.putId(at.traceId, 16)
    const traceId = this.lastWritten(begin + 2, begin + 34)
    this.putByte(comma)
    this.putId(at.spanId, 8)
    this.putByte(comma)
    this.putAnyId(at.parentSpanId, 8)
    this.putByte(comma)
    const nameAt = this.to
    this.putString(at.name)
    const name = this.lastWritten(nameAt + 1, this.to - 1)
    this.putByte(comma)
    this.putDigits(this.small(at.kind))
    this.putByte(comma)
    this.readTime(at.start)
    this.putTime()
    const { ms, seconds, nanos } = this
    this.readTime(at.end)
    const durationNs = Math.max(0, (this.seconds - seconds) * 1e9 + (this.nanos - nanos))
    const status = this.statusOf(at.status, message)
    this.putText(`,${durationNs},${status},`)
    this.putString(message)
    this.putByte(comma)
    this.putAside()
    const flags = this.word(at.flags)
    if (flags !== 0) this.putText(`,0,0,${flags}`)
    this.putText(']')
    this.columns.set(this.count, traceId, name, ms, durationNs, status, !this.has(at.parentSpanId))
  }

  protected parsed(item: Reader, origin: Origin): string {
    const hashes: number[] = []
    const line = this.columns.setParsed(this.count, readSpan(item, origin), hashes)
    this.addHashes(hashes)
    return line
  }
}
