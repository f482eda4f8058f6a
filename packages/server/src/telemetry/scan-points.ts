import { isUtf8 } from 'node:buffer'
import { attributesOf, objectOf } from '../ingest/json.ts'
import { KnownAttributes } from '../ingest/known-attributes.ts'
import { type PlainPoint, readMetrics } from '../ingest/otlp-metrics.ts'
import type { Attributes, Point } from '../ingest/rows.ts'
import { View } from '../ingest/view.ts'
import {
  afterDigits,
  afterTime,
  afterValue,
  ascii,
  brace,
  bracket,
  comma,
  digits,
  eachOf,
  expect,
  Fields,
  giveUp,
  goesOn,
  largestScanned,
  quote,
  stands,
  timeLength,
  Unusual,
  zero,
} from './scan-bytes.ts'

const fields = new Fields([
  'attributes',
  'startTimeUnixNano',
  'timeUnixNano',
  'asInt',
  'asDouble',
  'flags',
  // Mostly empty, and left to the parser where it is not.
  'exemplars',
])
const nothing = ascii('[]')
const listName = '"dataPoints"'
const listBegin = ascii(':[')
const minus = 0x2d
const dot = 0x2e
const backslash = 0x5c

const known = new KnownAttributes()

/**
 * Points of a body of JSON; undefined where it has to be parsed. Lists of gauges and sums are read byte by byte, and their
 * numbers take their place in the rest, which is parsed: that is little, and as it may be written in many ways.
 */
export function scanPoints(body: Buffer): Point[] | undefined {
  // With escapes names could be written in other ways.
  if (body.length > largestScanned || body.includes(backslash) || !isUtf8(body)) return undefined
  try {
    const view = new View(body)
    const lists: PlainPoint[][] = []
    const rest: string[] = []
    let done = 0
    for (let at = body.indexOf(listName); at >= 0; at = body.indexOf(listName, Math.max(at + 1, done))) {
      const begin = at + listName.length
      // Whatever else it is, it must not be taken for a number of ours.
      if (!stands(view, begin, listBegin) || (body[at - 1] !== brace && body[at - 1] !== comma)) giveUp()
      const list = new ListScan(body, view)
      const end = list.read(begin + 1)
      if (end < 0) continue
      rest.push(body.toString('utf8', done, begin + 1), String(lists.push(list.points) - 1))
      done = end
    }
    rest.push(body.toString('utf8', done))
    const batch = readMetrics(objectOf(JSON.parse(rest.join('')), 'the body'), lists)
    return batch.rejected === 0 ? batch.items : undefined
  } catch {
    // Whatever it was, those who parse it say it.
    return undefined
  }
}

class ListScan {
  readonly points: PlainPoint[] = []
  private readonly bytes: Buffer
  private readonly view: View
  /** Times that were read last, one of each kind: those of a list are mostly the same. */
  private readonly times = ['', '']
  private readonly timeAt = [0, 0]
  private value = 0

  constructor(bytes: Buffer, view: View) {
    this.bytes = bytes
    this.view = view
  }

  /** @returns the place after it; -1 where it is written in another way */
  read(from: number): number {
    try {
      return eachOf(this.bytes, from, at => this.point(at))
    } catch (error) {
      if (error instanceof Unusual) return -1
      throw error
    }
  }

  private point(begin: number): number {
    const { bytes, view } = this
    if (bytes[begin] !== brace) giveUp()
    let attributes: Attributes = []
    let flags = 0
    let [start, time] = ['0', '']
    let seen = 0
    for (let at = begin + 1, last = -1; ; ) {
      const field = fields.find(view, at, last)
      if ((seen & (1 << field)) !== 0) giveUp()
      seen |= 1 << field
      at += fields.lengthOf(field)
      let to = at
      if (field === 0) {
        const guess = known.guess(view, at)
        if (guess === undefined) {
          to = bytes[at] === bracket ? afterValue(bytes, at) : giveUp()
          attributes = known.find(bytes, at, to, () => attributesOf(JSON.parse(bytes.toString('utf8', at, to))))
        } else {
          to = at + guess.written.length
          attributes = guess.attributes
        }
      } else if (field === 1 || field === 2) {
        to = at + timeLength
        if (field === 1) start = this.timeOf(0, at)
        else time = this.timeOf(1, at)
      } else if (field === 3) to = this.integer(at)
      else if (field === 4) to = this.double(at)
      else if (field === 5) {
        to = afterDigits(bytes, at)
        flags = digits(bytes, at, to)
      } else to = expect(view, at, nothing)
      last = field
      at = to + 1
      if (goesOn(bytes[to])) continue
      // A time, and one value.
      if ((seen & 0b1_1100) !== 0b0_1100 && (seen & 0b1_1100) !== 0b1_0100) giveUp()
      this.points.push({ attributes, start, time, flags, value: this.value })
      return at
    }
  }

  private timeOf(kind: number, at: number): string {
    const { bytes, view, times, timeAt } = this
    const before = timeAt[kind] as number
    const isSame = before > 0 && view.same(before, view, at, timeLength)
    if (!isSame) times[kind] = bytes.toString('latin1', at + 1, afterTime(bytes, at) - 1)
    timeAt[kind] = at
    return times[kind] as string
  }

  private integer(from: number): number {
    const { bytes } = this
    const quoted = bytes[from] === quote
    const at = quoted ? from + 1 : from
    const to = this.digits(at)
    if (!quoted) return to
    return bytes[to] === quote ? to + 1 : giveUp()
  }

  /** Few enough digits for the number to be exact, and so its quotient by a power of ten to be the nearest there is. */
  private double(from: number): number {
    const { bytes } = this
    const to = this.digits(from)
    if (bytes[to] !== dot) return to
    let end = to + 1
    let whole = Math.abs(this.value)
    while ((bytes[end] as number) >= zero && (bytes[end] as number) <= 0x39)
      whole = whole * 10 + (bytes[end++] as number) - zero
    if (end === to + 1 || end - from > 16) giveUp()
    this.value = (bytes[from] === minus ? -whole : whole) / 10 ** (end - to - 1)
    return end
  }

  private digits(from: number): number {
    const { bytes } = this
    const isNegative = bytes[from] === minus
    const at = isNegative ? from + 1 : from
    const to = afterDigits(bytes, at)
    // Zero has no sign that all agree upon.
    if (isNegative && bytes[at] === zero) giveUp()
    this.value = isNegative ? -digits(bytes, at, to) : digits(bytes, at, to)
    return to
  }
}
