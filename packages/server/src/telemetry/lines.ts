import type { Origin } from '../ingest/rows.ts'
import { View } from '../ingest/view.ts'
import { hashSeed, hashStep, inWord, longestHashed } from './bloom.ts'
import type { Prepared } from './prepared.ts'
import { bracket, bracketEnd, comma, giveUp, largestScanned, plain, quote, Unusual } from './scan-bytes.ts'

/** Items that there is room for. */
export const mostScanned = 16_384

/** Places that fields have at most. */
export const mostFields = 18

/** What is written meanwhile; one thread reads one body at a time. */
const hashEnds = new Uint32Array(mostScanned)
const lineEnds = new Uint32Array(mostScanned)
const fieldBegins = new Int32Array(mostFields)
const fieldEnds = new Int32Array(mostFields)
let hashes = new Int32Array(65_536)
let written = Buffer.allocUnsafeSlow(262_144)
let writtenView = new View(written)
let aside = Buffer.allocUnsafeSlow(65_536)
let asideView = new View(aside)

/** Bytes of what was read become at most so many times as many, however it is written. */
const grows = 5

/** The lines of items that are scanned, and the hashes of their filter, straight from the bytes of a body. */
export abstract class Lines {
  protected readonly bytes: Buffer
  protected readonly view: View
  protected count = 0
  protected origins: Origin[] = []
  /** Where the next byte of a line goes. */
  protected to = 0
  /** Where each field of the item begins and ends; it ends at 0 where there is none. */
  protected readonly begins = fieldBegins
  protected readonly ends = fieldEnds
  /** Attributes are written aside, since they mostly come before what stands before them in a line. */
  private asideTo = 0
  private hashCount = 0

  /** @throws {Unusual} for a body that is too large: room for it would stay */
  constructor(bytes: Buffer) {
    if (bytes.length > largestScanned) giveUp()
    this.bytes = bytes
    this.view = new View(bytes)
    this.makeRoom(bytes.length * grows)
    if (aside.length >= bytes.length * grows + 4096) return
    aside = Buffer.allocUnsafeSlow(bytes.length * grows + 65_536)
    asideView = new View(aside)
  }

  /** All that was written. */
  protected kept(): Prepared {
    const { count, origins, hashCount } = this
    if (this.to > written.length) giveUp()
    return {
      count,
      origins,
      text: Buffer.from(written.subarray(0, this.to)),
      lineEnds: lineEnds.slice(0, count),
      hashes: hashes.slice(0, hashCount),
      hashEnds: hashEnds.slice(0, count),
    }
  }

  /** Writes the line of an item that is written as it mostly is. @returns the place after it */
  protected abstract usual(from: number, to: number): number
  /** Makes an object of one that is written otherwise. @returns its line; {@link otherEnd} is the place after it */
  protected abstract other(from: number, to: number, origin: Origin): string
  protected otherEnd = 0

  /** An item, of which the end may be known. @returns the place after it */
  protected line(origin: Origin, from: number, end: number): number {
    if (this.count === mostScanned) giveUp()
    const { to, hashCount } = this
    this.origins[this.count] = origin
    this.asideTo = 0
    const { ends } = this
    for (let field = 0; field < mostFields; field++) ends[field] = 0
    let at: number
    try {
      at = this.usual(from, end)
    } catch (error) {
      if (!(error instanceof Unusual)) throw error
      this.to = to
      this.hashCount = hashCount
      const line = this.other(from, end, origin)
      at = this.otherEnd
      // Here alone much more may be written than was read.
      this.makeRoom(line.length * 3 + this.bytes.length * grows)
      this.to += written.write(line, this.to)
    }
    written[this.to++] = 0x0a
    lineEnds[this.count] = this.to
    hashEnds[this.count++] = this.hashCount
    return at
  }

  private makeRoom(more: number): void {
    const needed = this.to + more + 4096
    if (written.length >= needed) return
    written = Buffer.concat([written.subarray(0, this.to)], needed * 2)
    writtenView = new View(written)
  }

  protected addHash(hash: number): void {
    if (this.hashCount === hashes.length) {
      const larger = new Int32Array(hashes.length * 2)
      larger.set(hashes)
      hashes = larger
    }
    hashes[this.hashCount++] = hash
  }

  /** Of what was read otherwise. */
  protected addHashes(more: readonly number[]): void {
    for (const hash of more) this.addHash(hash)
  }

  /** As `addWords` of the filter does of a text. @returns the place of what is not written as it is, or the end */
  protected addWords(from: number, to: number): number {
    const { bytes } = this
    for (let at = from; at < to; ) {
      let letter = letters[bytes[at] as number] as number
      if (letter <= between) {
        if (letter === 0) return at
        at++
        continue
      }
      const begin = at
      const hashed = Math.min(to, begin + longestHashed)
      let hash = hashSeed
      do {
        hash = hashStep(hash, letter)
        letter = ++at < hashed ? (letters[bytes[at] as number] as number) : 0
      } while (letter > between)
      if (at === hashed) while (at < to && (letters[bytes[at] as number] as number) > between) at++
      this.addHash(hashStep(hash, at - begin))
    }
    return to
  }

  protected putByte(byte: number): void {
    written[this.to++] = byte
  }

  protected putText(text: string): void {
    for (let at = 0; at < text.length; at++) written[this.to++] = text.charCodeAt(at)
  }

  /** What was read, as it is. */
  protected putRead(from: number, end: number): void {
    this.view.copy(from, end - from, writtenView, this.to)
    this.to += end - from
  }

  /** What was read, in quotes, where that is how it is written. */
  protected putPlain(from: number, end: number): void {
    const { bytes } = this
    const out = written
    let to = this.to
    out[to++] = quote
    for (let at = from; at < end; at++) {
      const byte = bytes[at] as number
      if (plain[byte] === 0) giveUp()
      out[to++] = byte
    }
    out[to++] = quote
    this.to = to
  }

  /** What was read in hexadecimal digits, in quotes. */
  protected putHex(from: number, end: number): void {
    const { bytes } = this
    const out = written
    let to = this.to
    out[to++] = quote
    for (let at = from; at < end; at++) {
      const byte = bytes[at] as number
      out[to++] = hexDigits[byte >> 4] as number
      out[to++] = hexDigits[byte & 15] as number
    }
    out[to++] = quote
    this.to = to
  }

  /** Digits of an integer, with zeros before them up to some width. */
  protected putDigits(value: number, width = 1): void {
    let end = this.to + width
    for (let power = 10 ** width; power <= value; power *= 10) end++
    let at = end
    let rest = value
    // What has 31 bits is divided in a fifth of the time.
    for (; rest > 0x7fff_ffff; rest = Math.floor(rest / 10)) written[--at] = 0x30 + (rest % 10)
    for (let small = rest | 0; at > this.to; small = (small / 10) | 0) written[--at] = 0x30 + (small % 10)
    this.to = end
  }

  /** Text that was written a moment ago. */
  protected lastWritten(from: number, to: number): string {
    return textAt(written, from, to)
  }

  protected putAside(): void {
    written[this.to++] = bracket
    // After the last there is no comma.
    if (this.asideTo > 0) {
      asideView.copy(0, this.asideTo - 1, writtenView, this.to)
      this.to += this.asideTo - 1
    }
    written[this.to++] = bracketEnd
  }

  /**
   * A text of an attribute, as far as it is written as it is.
   * @returns the hash of both; {@link asideEnd} is the place after it
   */
  protected asideText(from: number, end: number, before: number): number {
    const { bytes } = this
    const out = aside
    let to = this.asideTo
    let hash = before
    out[to++] = quote
    let at = from
    const hashed = Math.min(end, from + longestHashed)
    for (; at < hashed; at++) {
      const byte = bytes[at] as number
      if (plain[byte] === 0) break
      hash = hashStep(hash, byte)
      out[to++] = byte
    }
    if (at === from + longestHashed) {
      for (; at < end; at++) {
        const byte = bytes[at] as number
        if (plain[byte] === 0) break
        out[to++] = byte
      }
    }
    out[to++] = quote
    out[to++] = comma
    this.asideTo = to
    this.asideEnd = at
    return hashStep(hash, at - from)
  }

  protected asideEnd = 0

  /** A text that was found to be written as it is. */
  protected asideKnown(from: number, end: number): void {
    aside[this.asideTo++] = quote
    this.view.copy(from, end - from, asideView, this.asideTo)
    this.asideTo += end - from
    aside[this.asideTo++] = quote
    aside[this.asideTo++] = comma
  }

  /** A number or a word of an attribute, of a few characters, that is written down as it is. */
  protected asideRead(from: number, end: number, before: number): number {
    const { bytes } = this
    let hash = before
    for (let at = from; at < end; at++) {
      const byte = bytes[at] as number
      hash = hashStep(hash, byte)
      aside[this.asideTo++] = byte
    }
    aside[this.asideTo++] = comma
    return hashStep(hash, end - from)
  }

  /** A number or a word of an attribute. */
  protected asideValue(value: string, before: number): number {
    let hash = before
    for (let place = 0; place < value.length; place++) {
      const byte = value.charCodeAt(place)
      hash = hashStep(hash, byte)
      aside[this.asideTo++] = byte
    }
    aside[this.asideTo++] = comma
    return hashStep(hash, value.length)
  }
}

/** Of each byte what it is in a word, as `inWord`; else whether it is written as it is. */
const between = 1
const letters = inWord.map((letter, byte) => (plain[byte] === 0 ? 0 : letter || between))

/** Texts that were made a while ago, each at its place. */
const knownTexts = 1024
const longestKnown = 64
const texts = new Array<string>(knownTexts).fill('')

/** Names and ids of traces come again, so a text mostly is one that was made before. */
export function textAt(bytes: Buffer, from: number, to: number): string {
  const length = to - from
  if (length > longestKnown) return bytes.toString('latin1', from, to)
  let hash = length
  for (let at = Math.max(from, to - 8); at < to; at++) hash = hashStep(hash, bytes[at] as number)
  const place = (hash ^ (hash >>> 15)) & (knownTexts - 1)
  const known = texts[place] as string
  if (known.length === length) {
    let at = 0
    while (at < length && known.charCodeAt(at) === bytes[from + at]) at++
    if (at === length) return known
  }
  const text = bytes.toString('latin1', from, to)
  texts[place] = text
  return text
}

const hexDigits = new Uint8Array(Buffer.from('0123456789abcdef'))
