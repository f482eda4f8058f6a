import { UnreadableError } from './rows.ts'
import { View } from './view.ts'

/**
 * Messages and numbers of a body at most. Bytes that say nothing, two for each message, would be a hundred times as large in
 * memory; what exporters send has ten times as many bytes.
 */
const mostValues = 2_000_000
/** Of these values an item is worth: a span, an event, a point. */
const ofItem = 6

const truncated = (): UnreadableError => new UnreadableError('The protobuf message is cut short or damaged')

/**
 * Reads the wire format of protobuf, field by field, straight to where the values belong: nothing is built in between.
 * What a caller does not know it skips.
 */
export class Reader {
  readonly bytes: Buffer
  readonly view: View
  /** Of the next byte. */
  at: number
  private end: number
  /** Of the field that {@link next} stands at. */
  field = 0
  wire = 0
  private values = 0
  /** Times that were read last, one of each kind: those that come together are mostly the same. */
  private readonly times = ['0', '0']
  private readonly timeHalves = [0, 0, 0, 0]

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.view = new View(bytes)
    this.at = 0
    this.end = bytes.length
  }

  /** Of the end of the message that is being read. */
  get to(): number {
    return this.end
  }

  /** Goes to the next field; false at the end of the message. */
  next(): boolean {
    if (this.at >= this.end) return false
    const tag = this.uint32()
    this.field = tag >>> 3
    this.wire = tag & 7
    if (this.field === 0) throw truncated()
    return true
  }

  /** Whether the field has the type that its number should have; one of another type is skipped. */
  is(wire: number): boolean {
    if (this.wire === wire) return true
    this.skip()
    return false
  }

  /** Reads a message inside this one that becomes an object of many fields. */
  item(read: (reader: Reader) => void): void {
    this.count(ofItem)
    this.message(read)
  }

  /** Reads a message inside this one. */
  message(read: (reader: Reader) => void): void {
    this.count(1)
    const length = this.uint32()
    const end = this.at + length
    if (end > this.end) throw truncated()
    const outer = this.end
    this.end = end
    read(this)
    this.at = end
    this.end = outer
  }

  uint32(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte()
      if (shift < 28) value |= (byte & 0x7f) << shift
      else value += (byte & 0x0f) * 0x10000000
      if (byte < 0x80) return value >>> 0
    }
    // An int32 that is negative is written as one of 64 bits.
    for (let more = 0; more < 5; more++) if (this.byte() < 0x80) return value >>> 0
    throw truncated()
  }

  int32(): number {
    return this.uint32() | 0
  }

  sint32(): number {
    const value = this.uint32()
    return (value >>> 1) ^ -(value & 1)
  }

  /** A varint of 64 bits as an unsigned integer. */
  uint64(): bigint {
    let low = 0
    let shift = 0
    for (; shift < 28; shift += 7) {
      const byte = this.byte()
      low |= (byte & 0x7f) << shift
      if (byte < 0x80) return BigInt(low >>> 0)
    }
    let value = BigInt(low >>> 0)
    for (; shift < 70; shift += 7) {
      const byte = this.byte()
      value |= BigInt(byte & 0x7f) << BigInt(shift)
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw truncated()
  }

  int64(): bigint {
    return BigInt.asIntN(64, this.uint64())
  }

  bool(): boolean {
    return this.uint64() !== 0n
  }

  fixed32(): number {
    return this.bytes.readUInt32LE(this.take(4))
  }

  fixed64(): bigint {
    return this.bytes.readBigUInt64LE(this.take(8))
  }

  /** The same as a number, exact up to 2^53. */
  fixed64Number(): number {
    const from = this.take(8)
    return this.bytes.readUInt32LE(from + 4) * 0x1_0000_0000 + this.bytes.readUInt32LE(from)
  }

  /** As a number where that is exact, and as text otherwise. */
  sfixed64(): number | string {
    const from = this.take(8)
    const value = this.bytes.readInt32LE(from + 4) * 0x1_0000_0000 + this.bytes.readUInt32LE(from)
    return Number.isSafeInteger(value) ? value : String(this.bytes.readBigInt64LE(from))
  }

  /** Nanoseconds as decimal text. @param kind of time, 0 or 1 */
  time(kind: number): string {
    const from = this.take(8)
    const low = this.bytes.readUInt32LE(from)
    const high = this.bytes.readUInt32LE(from + 4)
    const { times, timeHalves } = this
    if (timeHalves[kind * 2] !== low || timeHalves[kind * 2 + 1] !== high) {
      timeHalves[kind * 2] = low
      timeHalves[kind * 2 + 1] = high
      times[kind] = String(this.bytes.readBigUInt64LE(from))
    }
    return times[kind] as string
  }

  double(): number {
    return this.bytes.readDoubleLE(this.take(8))
  }

  text(): string {
    const length = this.uint32()
    const from = this.take(length)
    return this.bytes.toString('utf8', from, from + length)
  }

  hex(): string {
    const length = this.uint32()
    const from = this.take(length)
    return this.bytes.toString('hex', from, from + length)
  }

  base64(): string {
    const length = this.uint32()
    const from = this.take(length)
    return this.bytes.toString('base64', from, from + length)
  }

  /** A repeated number, packed or one by one. */
  numbers(wire: number, read: () => number, into: number[]): void {
    if (this.wire === wire) into.push(read())
    else if (this.wire === 2) {
      this.message(() => {
        while (this.at < this.end) {
          this.count(1)
          into.push(read())
        }
      })
    } else this.skip()
  }

  /** Goes past this field, which has a length, and past those with the same number that come at once after it. */
  skipAll(): void {
    const tag = (this.field << 3) | 2
    this.take(this.uint32())
    while (this.at < this.end && this.bytes[this.at] === tag) {
      this.at++
      this.take(this.uint32())
    }
  }

  skip(): void {
    switch (this.wire) {
      case 0:
        this.uint64()
        return
      case 1:
        this.take(8)
        return
      case 2:
        this.take(this.uint32())
        return
      case 3:
        this.skipGroup()
        return
      case 5:
        this.take(4)
        return
      default:
        throw truncated()
    }
  }

  /** Groups are of old, and may be nested as deep as the body is long: so without a call for each. */
  private skipGroup(): void {
    for (let depth = 1; depth > 0; ) {
      if (!this.next()) throw truncated()
      if (this.wire === 3) depth++
      else if (this.wire === 4) depth--
      else this.skip()
    }
  }

  private count(values: number): void {
    this.values += values
    if (this.values > mostValues) throw new UnreadableError('The body holds too many values; send smaller batches')
  }

  private byte(): number {
    if (this.at >= this.end) throw truncated()
    return this.bytes[this.at++] as number
  }

  private take(length: number): number {
    const from = this.at
    if (length > this.end - from) throw truncated()
    this.at = from + length
    return from
  }
}
