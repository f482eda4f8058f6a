import type { Json } from '../ingest/json.ts'
import { recordOf } from '../ingest/otlp-logs.ts'
import type { Origin } from '../ingest/rows.ts'
import type { View } from '../ingest/view.ts'
import { longestText } from './bloom.ts'
import { LogColumns, nullWords } from './log-columns.ts'
import { type PreparedLogs, traceHash } from './prepared-logs.ts'
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
  msFrom,
  quote,
} from './scan-bytes.ts'

const names = {
  resources: new Fields(['resourceLogs']),
  scopes: new Fields(['resource', 'scopeLogs', 'schemaUrl']),
  items: new Fields(['scope', 'logRecords', 'schemaUrl']),
}

const at = {
  timeUnixNano: 0,
  observedTimeUnixNano: 1,
  severityNumber: 2,
  severityText: 3,
  body: 4,
  attributes: 5,
  traceId: 6,
  spanId: 7,
  flags: 8,
  // These are mostly empty, and left to the parser where they are not.
  droppedAttributesCount: 9,
  eventName: 10,
} as const
const fields = new Fields(Object.keys(at))
const empty = ['0', '""'].map(ascii)
const textValue = ascii('{"stringValue":')
/** The text of the body has a place behind the fields. */
const said = 11

/** Log records of a body of JSON as their block wants them; undefined where it has to be parsed. */
export function scanLogs(body: Buffer): PreparedLogs | undefined {
  try {
    return new LogScan(body, names, fields).read()
  } catch {
    // Whatever it was, those who parse it say it.
    return undefined
  }
}

class LogScan extends Scan {
  private readonly columns = new LogColumns()

  read(): PreparedLogs {
    return this.columns.with(this.walk())
  }

  protected after(field: number, from: number): number {
    const { bytes } = this
    switch (field) {
      case at.timeUnixNano:
      case at.observedTimeUnixNano:
        return this.time(field, from)
      case at.severityNumber:
      case at.flags:
        return afterDigits(bytes, from)
      case at.severityText:
        return afterText(bytes, from)
      case at.body:
        return this.body(from)
      case at.attributes:
        return this.attributes(from)
      case at.traceId:
        return bytes[from + 1] === quote ? afterText(bytes, from) : afterId(bytes, from, 32)
      case at.spanId:
        return bytes[from + 1] === quote ? afterText(bytes, from) : afterId(bytes, from, 16)
      default:
        return expect(this.view, from, empty[field - at.droppedAttributesCount] as View)
    }
  }

  private body(begin: number): number {
    const { bytes } = this
    if (bytes[begin] !== brace) giveUp()
    const from = expect(this.view, begin, textValue)
    const to = this.addWords(from + 1, bytes.length) + 1
    if (bytes[from] !== quote || bytes[to - 1] !== quote || bytes[to] !== braceEnd || to - from > longestText) giveUp()
    this.begins[said] = from
    this.ends[said] = to
    return to + 1
  }

  /** As `lineOf` does of what `recordOf` has read. */
  protected write(): void {
    const { bytes, begins, ends } = this
    if (ends[at.timeUnixNano] === 0) giveUp()
    const severity = begins[at.severityNumber] as number
    this.putText('[')
    this.putField(at.timeUnixNano, '')
    this.putText(',')
    this.putField(at.severityNumber, '0')
    this.putText(',')
    this.putField(at.severityText, '""')
    this.putText(',')
    const origin = this.to
    this.putText('9999,')
    this.putField(said, 'null')
    this.putText(',')
    this.putAside()
    this.putRest()
    this.putText(']')
    const ms = msFrom(this.seconds[at.timeUnixNano] as number, this.nanos[at.timeUnixNano] as number)
    this.columns.set(this.count, ms, digits(bytes, severity, ends[at.severityNumber] as number), origin)
    const trace = this.textOf(at.traceId)
    if (trace !== '') this.addHash(traceHash(trace))
    if (ends[said] === 0) this.addHashes(nullWords)
  }

  /** What is at the end and says nothing is left out. */
  private putRest(): void {
    const { bytes, begins, ends } = this
    const hasFlags = ends[at.flags] !== 0 && bytes[begins[at.flags] as number] !== 0x30
    const late = this.late()
    const has = (field: number) => (ends[field] as number) - (begins[field] as number) > 2
    const last = hasFlags ? 4 : late !== '""' ? 3 : has(at.spanId) ? 2 : has(at.traceId) ? 1 : 0
    if (last === 0) return
    this.putText(',')
    this.putField(at.traceId, '""')
    if (last === 1) return
    this.putText(',')
    this.putField(at.spanId, '""')
    if (last === 2) return
    this.putText(`,${late}`)
    if (last === 3) return
    this.putText(',')
    this.putField(at.flags, '0')
  }

  /** When it was seen, where that is not when it was. */
  private late(): string {
    const { seconds, nanos } = this
    if (this.ends[at.observedTimeUnixNano] === 0) return '"0"'
    const isSame =
      seconds[at.timeUnixNano] === seconds[at.observedTimeUnixNano] &&
      nanos[at.timeUnixNano] === nanos[at.observedTimeUnixNano]
    return isSame ? '""' : `"${this.textOf(at.observedTimeUnixNano)}"`
  }

  protected parsed(item: Json, origin: Origin): string {
    const hashes: number[] = []
    const line = this.columns.setParsed(this.count, recordOf(item, origin), this.to, hashes)
    this.addHashes(hashes)
    return line
  }
}
