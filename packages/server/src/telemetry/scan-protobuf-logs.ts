import type { Reader } from '../ingest/protobuf.ts'
import { readRecord } from '../ingest/protobuf-logs.ts'
import type { Origin } from '../ingest/rows.ts'
import { longestText } from './bloom.ts'
import { LogColumns, nullWords } from './log-columns.ts'
import { type PreparedLogs, traceHash } from './prepared-logs.ts'
import { comma, giveUp, quote } from './scan-bytes.ts'
import { fixed32, fixed64, nothing, ProtobufScan, sized, varint } from './scan-protobuf.ts'

/** Numbers of fields. */
const at = { time: 1, severity: 2, severityText: 3, body: 5, flags: 8, traceId: 9, spanId: 10, observed: 11 } as const
const attributes = 6
/** The text of the body has a place behind the fields. */
const said = 13

const fields: number[] = []
for (const field of [at.severityText, at.body, at.traceId, at.spanId]) fields[field] = sized
for (const field of [at.time, at.observed]) fields[field] = fixed64
fields[at.severity] = varint
fields[at.flags] = fixed32
// How many attributes were left out, and the name of an event.
for (const field of [7, 12]) fields[field] = nothing

/** Log records of a body of protobuf as their block wants them; undefined where objects have to be made of it. */
export function scanProtobufLogs(body: Buffer): PreparedLogs | undefined {
  try {
    return new LogScan(body, fields, attributes).read()
  } catch {
    // Whatever it was, those who make objects say it.
    return undefined
  }
}

class LogScan extends ProtobufScan {
  private readonly columns = new LogColumns()

  read(): PreparedLogs {
    return this.columns.with(this.walk())
  }

  /** As `lineOf` does of what `readRecord` has read. */
  protected write(): void {
    this.putText('[')
    this.readTime(at.time)
    this.putTime()
    const { ms, seconds, nanos } = this
    const severity = this.small(at.severity)
    this.putByte(comma)
    this.putDigits(severity)
    this.putByte(comma)
    this.putString(at.severityText)
    this.putByte(comma)
    const origin = this.to
    this.putText('9999,')
    this.putBody()
    this.putByte(comma)
    this.putAside()
    const isSeen = this.ends[at.observed] !== 0
    if (isSeen) this.readTime(at.observed)
    this.putRest(isSeen && this.seconds === seconds && this.nanos === nanos, isSeen)
    this.putText(']')
    this.addBody()
    this.columns.set(this.count, ms, severity, origin)
  }

  private putBody(): void {
    if (this.ends[at.body] === 0) this.putText('null')
    else {
      this.textOfValue(at.body, said)
      this.putByte(quote)
      this.putRead(this.begins[said] as number, this.ends[said] as number)
      this.putByte(quote)
    }
  }

  private addBody(): void {
    const [begin, end] = [this.begins[said] as number, this.ends[said] as number]
    if (end - begin > longestText) giveUp()
    if (end === 0) this.addHashes(nullWords)
    else if (this.addWords(begin, end) !== end) giveUp()
  }

  /** What is at the end and says nothing is left out. */
  private putRest(isSeenThen: boolean, isSeen: boolean): void {
    const flags = this.word(at.flags)
    const last = flags !== 0 ? 4 : !isSeenThen ? 3 : this.has(at.spanId) ? 2 : this.has(at.traceId) ? 1 : 0
    if (this.has(at.traceId)) {
      const from = this.to
      this.putText(',')
      this.putId(at.traceId, 16)
      this.addHash(traceHash(this.lastWritten(from + 2, this.to - 1)))
    } else if (last > 0) this.putText(',""')
    if (last < 2) return
    this.putByte(comma)
    this.putAnyId(at.spanId, 8)
    if (last < 3) return
    this.putByte(comma)
    if (isSeenThen) this.putText('""')
    else if (isSeen) this.putTime()
    else this.putText('"0"')
    if (last === 4) this.putText(`,${flags}`)
  }

  protected parsed(item: Reader, origin: Origin): string {
    const hashes: number[] = []
    const line = this.columns.setParsed(this.count, readRecord(item, origin), this.to, hashes)
    this.addHashes(hashes)
    return line
  }
}
