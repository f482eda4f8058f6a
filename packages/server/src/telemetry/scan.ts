import { isUtf8 } from 'node:buffer'
import { type Json, objectOf, resourceOf, scopeOf } from '../ingest/json.ts'
import type { Origin } from '../ingest/rows.ts'
import { hashSeed, hashStep, longestHashed } from './bloom.ts'
import type { Prepared } from './prepared.ts'
import {
  afterDigits,
  afterValue,
  ascii,
  brace,
  braceEnd,
  bracket,
  bracketEnd,
  comma,
  eachOf,
  expect,
  type Fields,
  giveUp,
  goesOn,
  largestScanned,
  plain,
  quote,
  stands,
  Unusual,
} from './scan-bytes.ts'

const attributeBegin = ascii('{"key":"')
const valueBegin = ascii('","value":{"')
const valueEnd = ascii('}}')
const stringName = ascii('stringValue":"')
const intName = ascii('intValue":')
const boolName = ascii('boolValue":')
const doubleName = ascii('doubleValue":')
const words = [ascii('true'), ascii('false')]
const numberPattern = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** Items that there is room for. */
export const mostScanned = 16_384

/** What is written meanwhile; one thread reads one body at a time. */
const hashEnds = new Uint32Array(mostScanned)
const lineEnds = new Uint32Array(mostScanned)
let hashes = new Int32Array(65_536)
let written = Buffer.allocUnsafeSlow(262_144)
let aside = Buffer.allocUnsafeSlow(65_536)

/**
 * What programs send is JSON without spaces, with the same names over and over and text without escapes. Such a body is
 * read byte by byte straight to the lines that are kept: a third of the time that it takes to make objects of it, and to
 * write those down again. Whatever is written in any other way is left to `JSON.parse`: an item by itself, or all of it.
 */
export abstract class Scan {
  protected readonly bytes: Buffer
  protected count = 0
  protected origins: Origin[] = []
  private hashCount = 0
  /** Where the next byte of a line goes. */
  protected to = 0
  /** The same of what is written beside it. */
  private asideTo = 0
  private readonly names: { resources: Fields; scopes: Fields; items: Fields }
  private readonly fields: Fields
  /** Where each field of the item begins and ends; 0 where it has none. */
  protected readonly begins = new Int32Array(32)
  protected readonly ends = new Int32Array(32)

  /** @param fields of an item */
  constructor(bytes: Buffer, names: Scan['names'], fields: Fields) {
    this.fields = fields
    this.bytes = bytes
    this.names = names
    this.makeRoom()
  }

  /** Reads a field of an item; @returns the place after it */
  protected abstract after(field: number, at: number): number
  /** Writes the item whose fields were read. */
  protected abstract write(): void
  /** Reads one that is written otherwise; @returns its line */
  protected abstract other(item: Json, origin: Origin): string

  /** @throws {Unusual} or what JSON.parse throws: the body must be read in the other way then */
  protected walk(): Omit<Prepared, 'text'> & { text: Buffer } {
    const { bytes, names } = this
    if (bytes.length > largestScanned || !isUtf8(bytes)) giveUp()
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
      this.write()
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

  private usual(from: number): number {
    const { bytes, fields, begins, ends } = this
    begins.fill(0)
    ends.fill(0)
    if (bytes[from] !== brace) giveUp()
    for (let at = from + 1, last = -1; ; ) {
      const field = fields.find(bytes, at, last)
      if (ends[field] !== 0) giveUp()
      at += fields.lengthOf(field)
      begins[field] = at
      at = this.after(field, at)
      ends[field] = at
      last = field
      if (!goesOn(bytes[at++])) return at
    }
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

  protected putField(field: number, otherwise: string): void {
    const end = this.ends[field] as number
    if (end === 0) this.putText(otherwise)
    else this.putRead(this.begins[field] as number, end)
  }

  /** What stands in a text; empty where there is none. */
  protected textOf(field: number): string {
    const end = this.ends[field] as number
    return end === 0 ? '' : this.bytes.toString('latin1', (this.begins[field] as number) + 1, end - 1)
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
