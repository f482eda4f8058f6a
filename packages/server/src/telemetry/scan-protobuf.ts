import { Reader } from '../ingest/protobuf.ts'
import { eachMessage } from '../ingest/protobuf-common.ts'
import type { Origin } from '../ingest/rows.ts'
import { hashSeed } from './bloom.ts'
import { Lines } from './lines.ts'
import type { Prepared } from './prepared.ts'
import { giveUp, latestSecond, msFrom } from './scan-bytes.ts'

/** How a field lies in the bytes. */
export const varint = 0
export const fixed64 = 1
export const sized = 2
export const fixed32 = 5
/** Mostly empty or zero, and left to those who make objects where it is not. */
export const nothing = 8

/** Of an attribute or a value: the byte that its field begins with. */
const [keyTag, valueTag] = [0x0a, 0x12]
const [textTag, boolTag, intTag, doubleTag] = [0x0a, 0x10, 0x18, 0x21]

/**
 * The same for protobuf as {@link Scan} does for JSON: items are read straight to the lines that are kept. Whatever is seldom
 * (an event, a list, a letter beyond ASCII) is left to those who make an object of it, an item by itself, or all of them.
 */
export abstract class ProtobufScan extends Lines {
  /** How each field of an item lies, by its number. */
  private readonly fields: readonly (number | undefined)[]
  /** The field that attributes have. */
  private readonly attributes: number
  /** What was read last. */
  private at = 0
  protected seconds = 0
  protected nanos = 0

  constructor(bytes: Buffer, fields: readonly (number | undefined)[], attributes: number) {
    super(bytes)
    this.fields = fields
    this.attributes = attributes
  }

  /** Writes the item whose fields were found. */
  protected abstract write(): void
  /** Makes an object of one that is written otherwise; @returns its line */
  protected abstract parsed(item: Reader, origin: Origin): string

  /** @throws {Unusual} or what a reader throws: the body must be read in the other way then */
  protected walk(): Prepared {
    const { bytes } = this
    eachMessage(new Reader(bytes), ({ at, to }, origin) => {
      this.line(origin, at, to)
    })
    return this.kept()
  }

  protected usual(from: number, to: number): number {
    this.find(from, to)
    this.write()
    return to
  }

  protected other(from: number, to: number, origin: Origin): string {
    this.otherEnd = to
    return this.parsed(new Reader(this.bytes.subarray(from, to)), origin)
  }

  /** Where the fields of an item lie; attributes are written already. */
  private find(from: number, to: number): void {
    const { bytes, fields, begins, ends } = this
    for (let at = from; at < to; ) {
      let tag = bytes[at++] as number
      if (tag > 127) {
        const more = bytes[at++] as number
        if (more > 1) giveUp()
        tag = (tag & 127) | (more << 7)
      }
      const field = tag >>> 3
      const wire = tag & 7
      let begin = at
      if (wire === sized) {
        const length = this.number(at, to)
        begin = this.at
        at = begin + length
      } else if (wire === varint) {
        this.number(at, to)
        at = this.at
      } else at += wire === fixed64 ? 8 : wire === fixed32 ? 4 : giveUp()
      if (at > to) giveUp()
      if (field === this.attributes && wire === sized) {
        this.attribute(begin, at)
        continue
      }
      const usual = fields[field] ?? giveUp()
      const isNothing = usual === nothing && (wire === sized ? at === begin : wire === varint && bytes[begin] === 0)
      if (ends[field] !== 0 || (usual !== wire && !isNothing)) giveUp()
      begins[field] = begin
      ends[field] = at
    }
  }

  /** A varint that is exact as a number; {@link at} is after it. */
  private number(from: number, to: number): number {
    const { bytes } = this
    let value = 0
    let power = 1
    for (let at = from; at < to && at < from + 7; power *= 128) {
      const byte = bytes[at++] as number
      value += (byte & 127) * power
      if (byte < 128) {
        this.at = at
        return value
      }
    }
    return giveUp()
  }

  /** Of an enum, or so. */
  protected small(field: number): number {
    const end = this.ends[field] as number
    const value = end === 0 ? 0 : this.number(this.begins[field] as number, end)
    return value < 0x8000_0000 ? value : giveUp()
  }

  /** Of flags. */
  protected word(field: number): number {
    return this.ends[field] === 0 ? 0 : this.bytes.readUInt32LE(this.begins[field])
  }

  /** Whether there is a field, and something in it. */
  protected has(field: number): boolean {
    return (this.ends[field] as number) > (this.begins[field] as number)
  }

  private attribute(from: number, to: number): void {
    const { bytes } = this
    if (bytes[from] !== keyTag) giveUp()
    const keyLength = this.number(from + 1, to)
    const keyAt = this.at
    const valueAt = keyAt + keyLength
    if (valueAt + 1 >= to || bytes[valueAt] !== valueTag) giveUp()
    const key = this.asideText(keyAt, valueAt, hashSeed)
    if (this.asideEnd !== valueAt) giveUp()
    const length = this.number(valueAt + 1, to)
    if (this.at + length !== to || length < 2) giveUp()
    const [tag, at] = [bytes[this.at], this.at + 1]
    if (tag === textTag) {
      const textLength = this.number(at, to)
      if (this.at + textLength !== to) giveUp()
      this.addHash(this.asideText(this.at, to, key))
      if (this.asideEnd !== to) giveUp()
    } else this.addHash(this.asideValue(this.value(tag as number, at, to), key))
  }

  /** A number or a word, as it is written down. */
  private value(tag: number, at: number, to: number): string {
    if (tag === doubleTag && at + 8 === to) {
      const double = this.bytes.readDoubleLE(at)
      return Number.isFinite(double) ? String(double) : giveUp()
    }
    if (tag !== intTag && tag !== boolTag) giveUp()
    const value = this.number(at, to)
    if (this.at !== to) giveUp()
    return tag === intTag ? String(value) : value === 0 ? 'false' : 'true'
  }

  /** Finds the text of a value that is one and nothing else, and what is found stands at a field of its own. */
  protected textOfValue(field: number, into: number): void {
    const [begin, end] = [this.begins[field] as number, this.ends[field] as number]
    if (this.bytes[begin] !== textTag) giveUp()
    const length = this.number(begin + 1, end)
    if (this.at + length !== end) giveUp()
    this.begins[into] = this.at
    this.ends[into] = end
  }

  /** The message of a status stands at a field of its own; @returns its code */
  protected statusOf(field: number, message: number): number {
    const { bytes } = this
    const end = this.ends[field] as number
    let code = 0
    for (let at = this.begins[field] as number, last = 0; at < end; ) {
      const tag = bytes[at++] as number
      if (tag <= last) giveUp()
      last = tag
      const value = this.number(at, end)
      at = this.at
      if (tag === 0x12) {
        this.begins[message] = at
        at += value
        if (at > end) giveUp()
        this.ends[message] = at
      } else if (tag === 0x18 && value < 0x8000_0000) code = value
      else giveUp()
    }
    return code
  }

  /** Seconds and nanoseconds of a time of this century, exact: two halves of 32 bits, divided 16 by 16. */
  protected readTime(field: number): void {
    const { bytes } = this
    const at = this.begins[field] as number
    if (this.ends[field] === 0) giveUp()
    let rest = ((bytes[at + 7] as number) << 8) | (bytes[at + 6] as number)
    let seconds = 0
    for (let place = at + 4; place >= at; place -= 2) {
      const part = rest * 65_536 + (((bytes[place + 1] as number) << 8) | (bytes[place] as number))
      const whole = Math.floor(part / 1e9)
      seconds = seconds * 65_536 + whole
      rest = part - whole * 1e9
    }
    if (seconds < 1e9 || seconds >= latestSecond) giveUp()
    this.seconds = seconds
    this.nanos = rest
  }

  /** As `msOf` of its text. */
  protected get ms(): number {
    return msFrom(this.seconds, this.nanos)
  }

  protected putTime(): void {
    this.putByte(0x22)
    this.putDigits(this.seconds, 10)
    this.putDigits(this.nanos, 9)
    this.putByte(0x22)
  }

  /** @param length of its bytes, of which not all may be zero */
  protected putId(field: number, length: number): void {
    const { bytes } = this
    const begin = this.begins[field] as number
    const end = begin + length
    let any = 0
    for (let at = begin; at < end; at++) any |= bytes[at] as number
    if (this.ends[field] !== end || any === 0) giveUp()
    this.putHex(begin, end)
  }

  /** An id that may be missing. */
  protected putAnyId(field: number, length: number): void {
    if (this.has(field)) this.putId(field, length)
    else this.putText('""')
  }

  protected putString(field: number): void {
    this.putPlain(this.begins[field] as number, this.ends[field] as number)
  }
}
