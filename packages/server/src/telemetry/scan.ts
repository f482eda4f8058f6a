import { isUtf8 } from 'node:buffer'
import { type Json, objectOf, resourceOf, scopeOf } from '../ingest/json.ts'
import type { Origin } from '../ingest/rows.ts'
import { hashSeed, hashStep, longestHashed } from './bloom.ts'
import type { Prepared } from './prepared.ts'

/**
 * What programs send is JSON without spaces, with the same names over and over and text without escapes. Such a body is
 * read byte by byte straight to the lines that are kept: a third of the time that it takes to make objects of it, and to
 * write those down again. Whatever is written in any other way is left to `JSON.parse`: an item by itself, or all of it.
 */

/** Something is not written as it mostly is: right or wrong, others judge it. */
export class Unusual extends Error {}
const unusual = new Unusual('not written as it mostly is')

export function giveUp(): never {
  throw unusual
}

/** Larger ones must be looked through for what they would be in memory. */
const largest = 1_048_576
/** Items that there is room for. */
export const mostScanned = 16_384

export const quote = 0x22
const comma = 0x2c
const bracket = 0x5b
const bracketEnd = 0x5d
export const brace = 0x7b
export const braceEnd = 0x7d
const zero = 0x30

/** Bytes that stand for themselves in a text of JSON, read and written. */
const plain = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(code >= 0x20 && code < 0x7f && code !== quote && code !== 0x5c),
)

const ascii = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))

/** Names of a message; which comes after which is mostly the same, so the one that did last is tried first. */
export class Fields {
  private readonly names: Uint8Array[]
  private readonly next: number[]

  constructor(names: string[]) {
    this.names = names.map(name => ascii(`"${name}":`))
    this.next = [...names.keys(), 0]
  }

  /** @param last the one before it, -1 at first */
  find(bytes: Uint8Array, at: number, last: number): number {
    const guess = this.next[last + 1] as number
    if (stands(bytes, at, this.names[guess] as Uint8Array)) return guess
    for (let field = 0; field < this.names.length; field++) {
      if (!stands(bytes, at, this.names[field] as Uint8Array)) continue
      this.next[last + 1] = field
      return field
    }
    return giveUp()
  }

  lengthOf(field: number): number {
    return (this.names[field] as Uint8Array).length
  }
}

function stands(bytes: Uint8Array, from: number, text: Uint8Array): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[from + at] !== text[at]) return false
  return true
}

/** @returns the place after it */
function expect(bytes: Uint8Array, at: number, text: Uint8Array): number {
  return stands(bytes, at, text) ? at + text.length : giveUp()
}

/** @param at where the quote is; @returns the place after the one that ends it */
export function afterText(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== quote) giveUp()
  let end = at + 1
  while (plain[bytes[end] as number] === 1) end++
  return bytes[end] === quote ? end + 1 : giveUp()
}

/** Digits without needless zeros, few enough to be exact. */
export function afterDigits(bytes: Uint8Array, at: number): number {
  let end = at
  while ((bytes[end] as number) >= zero && (bytes[end] as number) <= 0x39) end++
  if (end === at || end > at + 15 || (bytes[at] === zero && end > at + 1)) giveUp()
  return end
}

export function digits(bytes: Uint8Array, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at++) value = value * 10 + (bytes[at] as number) - zero
  return value
}

/** After a field: whether there is another. */
export function goesOn(byte: number | undefined): boolean {
  return byte === comma || (byte !== braceEnd && giveUp())
}

/** A list of messages, of which each is read by `take`; @returns the place after it */
function eachOf(bytes: Uint8Array, from: number, take: (at: number) => number): number {
  if (bytes[from] !== bracket) giveUp()
  if (bytes[from + 1] === bracketEnd) return from + 2
  for (let at = from + 1; ; ) {
    at = take(at)
    const byte = bytes[at++]
    if (byte === bracketEnd) return at
    if (byte !== comma) giveUp()
  }
}

/** The place after an object or a text, whatever is in it; whether it is one, those who parse it know. */
function afterValue(bytes: Uint8Array, from: number): number {
  let depth = 0
  for (let at = from; at < bytes.length; ) {
    const byte = bytes[at++]
    if (byte === quote) {
      while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === 0x5c ? 2 : 1
      at++
    } else if (byte === brace || byte === bracket) depth++
    else if (byte === braceEnd || byte === bracketEnd) depth--
    if (depth <= 0) return at
  }
  return giveUp()
}

const attributeBegin = ascii('{"key":"')
const valueBegin = ascii('","value":{"')
const valueEnd = ascii('}}')
const stringName = ascii('stringValue":"')
const intName = ascii('intValue":')
const boolName = ascii('boolValue":')
const doubleName = ascii('doubleValue":')
const words = [ascii('true'), ascii('false')]
const numberPattern = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** What is written meanwhile; one thread reads one body at a time. */
const hashEnds = new Uint32Array(mostScanned)
const lineEnds = new Uint32Array(mostScanned)
let hashes = new Int32Array(65_536)
let written = Buffer.allocUnsafeSlow(262_144)
let aside = Buffer.allocUnsafeSlow(65_536)

/** Reads a body of one signal. */
export abstract class Scan {
  protected readonly bytes: Buffer
  protected count = 0
  protected origins: Origin[] = []
  private hashCount = 0
  /** Where the next byte of a line goes, and of what is written beside it. */
  protected to = 0
  protected asideTo = 0
  private readonly names: { resources: Fields; scopes: Fields; items: Fields }

  constructor(bytes: Buffer, names: { resources: Fields; scopes: Fields; items: Fields }) {
    this.bytes = bytes
    this.names = names
    this.makeRoom()
  }

  /** Reads an item as it mostly is written; @returns the place after it */
  protected abstract usual(from: number): number
  /** Reads one that is written otherwise; @returns its line */
  protected abstract other(item: Json, origin: Origin): string

  /** @throws {Unusual} or what JSON.parse throws: the body must be read in the other way then */
  protected walk(): Omit<Prepared, 'text'> & { text: Buffer } {
    const { bytes, names } = this
    if (bytes.length > largest || !isUtf8(bytes)) giveUp()
    if (bytes[0] !== brace) giveUp()
    let at = 1 + names.resources.lengthOf(names.resources.find(bytes, 1, -1))
    at = eachOf(bytes, at, from => this.resource(from))
    if (bytes[at] !== braceEnd || at + 1 !== bytes.length) giveUp()
    if (this.to > written.length) giveUp()
    const { count, origins } = this
    return {
      count,
      origins,
      text: Buffer.from(written.subarray(0, this.to)),
      lineEnds: lineEnds.slice(0, count),
      hashes: hashes.slice(0, this.hashCount),
      hashEnds: hashEnds.slice(0, count),
    }
  }

  private resource(from: number): number {
    const first = this.count
    const { at, sent } = this.parts(from, this.names.scopes, list => eachOf(this.bytes, list, each => this.scope(each)))
    const resource = resourceOf(sent[0], sent[2])
    for (let place = first; place < this.count; place++) (this.origins[place] as Origin).resource = resource
    return at
  }

  private scope(from: number): number {
    const origin = {} as Origin
    const { at, sent } = this.parts(from, this.names.items, list =>
      eachOf(this.bytes, list, each => this.item(each, origin)),
    )
    origin.scope = scopeOf(sent[0], sent[2])
    return at
  }

  /** A message of a description, a list, and the address of a schema, in any order. */
  private parts(from: number, fields: Fields, take: (at: number) => number): { at: number; sent: unknown[] } {
    const { bytes } = this
    if (bytes[from] !== brace) giveUp()
    const sent: unknown[] = []
    let seen = 0
    for (let at = from + 1, last = -1; ; ) {
      const field = fields.find(bytes, at, last)
      if ((seen & (1 << field)) !== 0) giveUp()
      seen |= 1 << field
      at += fields.lengthOf(field)
      if (field === 1) at = take(at)
      else {
        const begin = at
        at = afterValue(bytes, begin)
        sent[field] = JSON.parse(bytes.toString('utf8', begin, at))
      }
      last = field
      if (!goesOn(bytes[at++])) return { at, sent }
    }
  }

  private item(from: number, origin: Origin): number {
    if (this.count === mostScanned) giveUp()
    const { to, hashCount } = this
    this.origins[this.count] = origin
    this.asideTo = 0
    let at: number
    try {
      at = this.usual(from)
    } catch (error) {
      if (!(error instanceof Unusual)) throw error
      this.to = to
      this.hashCount = hashCount
      at = afterValue(this.bytes, from)
      const line = this.other(objectOf(JSON.parse(this.bytes.toString('utf8', from, at)), 'an item'), origin)
      // Here alone more may be written than was read.
      this.makeRoom(line.length * 3)
      this.to += written.write(line, this.to)
    }
    written[this.to++] = 0x0a
    lineEnds[this.count] = this.to
    hashEnds[this.count++] = this.hashCount
    return at
  }

  private makeRoom(more = 0): void {
    const needed = this.to + more + this.bytes.length + 4096
    if (written.length < needed) written = Buffer.concat([written.subarray(0, this.to)], needed * 2)
    if (aside.length < this.bytes.length + 4096) aside = Buffer.allocUnsafeSlow(this.bytes.length + 65_536)
  }

  protected addHash(hash: number): void {
    if (this.hashCount === hashes.length) {
      const larger = new Int32Array(hashes.length * 2)
      larger.set(hashes)
      hashes = larger
    }
    hashes[this.hashCount++] = hash
  }

  protected put(byte: number): void {
    written[this.to++] = byte
  }

  protected putText(text: string): void {
    for (let at = 0; at < text.length; at++) written[this.to++] = text.charCodeAt(at)
  }

  /** What was read, as it is. */
  protected putRead(from: number, end: number): void {
    const { bytes } = this
    const out = written
    let to = this.to
    for (let at = from; at < end; at++) out[to++] = bytes[at] as number
    this.to = to
  }

  protected putAside(): void {
    if (this.asideTo > 0) this.to += aside.copy(written, this.to, 0, this.asideTo)
    else this.putText('[]')
  }

  /** Attributes as a line has them, written aside, since they mostly come before what stands before them. */
  protected attributes(from: number): number {
    aside[this.asideTo++] = bracket
    const end = eachOf(this.bytes, from, at => this.attribute(at))
    // After the last there is no comma.
    if (this.asideTo > 1) this.asideTo--
    aside[this.asideTo++] = bracketEnd
    return end
  }

  private attribute(from: number): number {
    const { bytes } = this
    const out = aside
    let to = this.asideTo
    let at = expect(bytes, from, attributeBegin)
    out[to++] = quote
    let hash = hashSeed
    let begin = at
    for (; plain[bytes[at] as number] === 1; at++) {
      const byte = bytes[at] as number
      if (at - begin < longestHashed) hash = hashStep(hash, byte)
      out[to++] = byte
    }
    hash = hashStep(hash, at - begin)
    out[to++] = quote
    out[to++] = comma
    at = expect(bytes, at, valueBegin)
    if (bytes[at] === 0x73) {
      at = expect(bytes, at, stringName)
      out[to++] = quote
      for (begin = at; plain[bytes[at] as number] === 1; at++) {
        const byte = bytes[at] as number
        if (at - begin < longestHashed) hash = hashStep(hash, byte)
        out[to++] = byte
      }
      hash = hashStep(hash, at - begin)
      if (bytes[at++] !== quote) giveUp()
      out[to++] = quote
    } else {
      const value = this.value(at)
      at = this.valueEnd
      for (let place = 0; place < value.length; place++) {
        const byte = value.charCodeAt(place)
        hash = hashStep(hash, byte)
        out[to++] = byte
      }
      hash = hashStep(hash, value.length)
    }
    out[to++] = comma
    this.asideTo = to
    this.addHash(hash)
    return expect(bytes, at, valueEnd)
  }

  /** Where the value that was read last ends. */
  private valueEnd = 0

  /** A number or a word, as it is written down. */
  private value(from: number): string {
    const { bytes } = this
    if (bytes[from] === 0x69) {
      let at = expect(bytes, from, intName)
      const quoted = bytes[at] === quote
      if (quoted) at++
      const end = afterDigits(bytes, at)
      if (quoted && bytes[end] !== quote) giveUp()
      this.valueEnd = quoted ? end + 1 : end
      return bytes.toString('latin1', at, end)
    }
    if (bytes[from] === 0x62) {
      const at = expect(bytes, from, boolName)
      const word = words.find(each => stands(bytes, at, each)) ?? giveUp()
      this.valueEnd = at + word.length
      return bytes.toString('latin1', at, this.valueEnd)
    }
    const at = expect(bytes, from, doubleName)
    const end = bytes.indexOf(braceEnd, at)
    const text = end < 0 || end > at + 30 ? '' : bytes.toString('latin1', at, end)
    const number = Number(text)
    if (!numberPattern.test(text) || !Number.isFinite(number)) giveUp()
    this.valueEnd = end
    return String(number)
  }

  /** Of what was read otherwise. */
  protected addHashes(more: readonly number[]): void {
    for (const hash of more) this.addHash(hash)
  }
}
