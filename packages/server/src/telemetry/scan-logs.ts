import type { Json } from '../ingest/json.ts'
import { recordOf } from '../ingest/otlp-logs.ts'
import type { Origin } from '../ingest/rows.ts'
import { msOf } from './block.ts'
import { addHashes, addWords, hashSeed, hashStep, inWord, longestHashed, longestText, wordOf } from './bloom.ts'
import { lineOf, originPlace } from './log-line.ts'
import { type PreparedLogs, traceHash } from './prepared-logs.ts'
import { mostScanned, Scan } from './scan.ts'
import {
  afterDigits,
  afterId,
  afterText,
  afterTime,
  ascii,
  brace,
  braceEnd,
  digits,
  expect,
  Fields,
  giveUp,
  msAt,
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

const times = new Float64Array(mostScanned)
const severities = new Uint8ClampedArray(mostScanned)
const originAt = new Uint32Array(mostScanned)

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
  private isLong = false

  read(): PreparedLogs {
    const prepared = this.walk()
    const { count, isLong } = this
    return {
      ...prepared,
      isLong,
      times: times.slice(0, count),
      severities: severities.slice(0, count),
      originAt: originAt.slice(0, count),
    }
  }

  protected after(field: number, from: number): number {
    const { bytes } = this
    switch (field) {
      case at.timeUnixNano:
      case at.observedTimeUnixNano:
        return afterTime(bytes, from)
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
        return expect(bytes, from, empty[field - at.droppedAttributesCount] as Uint8Array)
    }
  }

  private body(begin: number): number {
    const { bytes } = this
    if (bytes[begin] !== brace) giveUp()
    const from = expect(bytes, begin, textValue)
    const to = afterText(bytes, from)
    if (bytes[to] !== braceEnd || to - from > longestText) giveUp()
    this.begins[said] = from
    this.ends[said] = to
    return to + 1
  }

  /** As `lineOf` does of what `recordOf` has read. */
  protected write(): void {
    const { bytes, begins, ends, count } = this
    const time = begins[at.timeUnixNano] as number
    if (ends[at.timeUnixNano] === 0) giveUp()
    const severity = begins[at.severityNumber] as number
    this.putText('[')
    this.putField(at.timeUnixNano, '')
    this.putText(',')
    this.putField(at.severityNumber, '0')
    this.putText(',')
    this.putField(at.severityText, '""')
    this.putText(',')
    originAt[count] = this.to
    this.putText('9999,')
    this.putField(said, 'null')
    this.putText(',')
    this.putAside()
    this.putRest()
    this.putText(']')
    times[count] = msAt(bytes, time)
    severities[count] = digits(bytes, severity, ends[at.severityNumber] as number)
    const trace = this.textOf(at.traceId)
    if (trace !== '') this.addHash(traceHash(trace))
    if (ends[said] === 0) this.addHashes(nullWords)
    else this.addWords((begins[said] as number) + 1, ends[said] as number)
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
    const { bytes, begins, ends } = this
    if (ends[at.observedTimeUnixNano] === 0) return '"0"'
    const [time, observed] = [begins[at.timeUnixNano] as number, begins[at.observedTimeUnixNano] as number]
    for (let place = 1; place < 20; place++) {
      if (bytes[time + place] !== bytes[observed + place]) return `"${this.textOf(at.observedTimeUnixNano)}"`
    }
    return '""'
  }

  /** As `addWords` does of a text. */
  private addWords(from: number, to: number): void {
    const { bytes } = this
    let hash = hashSeed
    let length = 0
    // The quote at the end is in no word, and ends the last.
    for (let place = from; place < to; place++) {
      const letter = inWord[bytes[place] as number] as number
      if (letter !== 0) {
        if (length < longestHashed) hash = hashStep(hash, letter)
        length++
      } else if (length > 0) {
        this.addHash(hashStep(hash, length))
        hash = hashSeed
        length = 0
      }
    }
  }

  protected other(item: Json, origin: Origin): string {
    const record = recordOf(item, origin)
    // The time of its arrival is given to it by others.
    if (record.time === '0') giveUp()
    const { count } = this
    const line = lineOf(record)
    times[count] = msOf(record.time)
    severities[count] = record.severity
    originAt[count] = this.to + Buffer.byteLength(line.slice(0, originPlace(record)))
    const hashes: number[] = []
    addHashes(hashes, record.attributes)
    if (record.traceId !== '') hashes.push(traceHash(record.traceId))
    if (!addWords(hashes, wordOf(record.body))) this.isLong = true
    this.addHashes(hashes)
    return line
  }
}

const nullWords: number[] = []
addWords(nullWords, wordOf(null))
