import { isUtf8 } from 'node:buffer'
import { type Json, objectOf, resourceOf, scopeOf } from '../ingest/json.ts'
import type { Origin } from '../ingest/rows.ts'
import { hashSeed } from './bloom.ts'
import { Lines, textAt } from './lines.ts'
import type { Prepared } from './prepared.ts'
import {
  afterDigits,
  afterValue,
  ascii,
  brace,
  braceEnd,
  eachOf,
  expect,
  type Fields,
  giveUp,
  goesOn,
  largestScanned,
  quote,
  stands,
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

/**
 * What programs send is JSON without spaces, with the same names over and over and text without escapes. Such a body is
 * read byte by byte straight to the lines that are kept: a third of the time that it takes to make objects of it, and to
 * write those down again. Whatever is written in any other way is left to `JSON.parse`: an item by itself, or all of it.
 */
export abstract class Scan extends Lines {
  private readonly names: { resources: Fields; scopes: Fields; items: Fields }
  private readonly fields: Fields

  /** @param fields of an item */
  constructor(bytes: Buffer, names: Scan['names'], fields: Fields) {
    super(bytes)
    this.names = names
    this.fields = fields
  }

  /** Reads a field of an item; @returns the place after it */
  protected abstract after(field: number, at: number): number
  /** Writes the item whose fields were read. */
  protected abstract write(): void
  /** Reads one that is written otherwise; @returns its line */
  protected abstract other(item: Json, origin: Origin): string

  /** @throws {Unusual} or what JSON.parse throws: the body must be read in the other way then */
  protected walk(): Prepared {
    const { bytes, names } = this
    if (bytes.length > largestScanned || !isUtf8(bytes)) giveUp()
    if (bytes[0] !== brace) giveUp()
    let at = 1 + names.resources.lengthOf(names.resources.find(bytes, 1, -1))
    at = eachOf(bytes, at, from => this.resource(from))
    if (bytes[at] !== braceEnd || at + 1 !== bytes.length) giveUp()
    return this.kept()
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
    let at = from
    const usual = () => {
      at = this.usual(from)
      this.write()
    }
    const other = () => {
      at = afterValue(this.bytes, from)
      return this.other(objectOf(JSON.parse(this.bytes.toString('utf8', from, at)), 'an item'), origin)
    }
    this.line(origin, usual, other)
    return at
  }

  private usual(from: number): number {
    const { bytes, fields, begins, ends } = this
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

  protected putField(field: number, otherwise: string): void {
    const end = this.ends[field] as number
    if (end === 0) this.putText(otherwise)
    else this.putRead(this.begins[field] as number, end)
  }

  /** What stands in a text; empty where there is none. */
  protected textOf(field: number): string {
    const end = this.ends[field] as number
    return end === 0 ? '' : textAt(this.bytes, (this.begins[field] as number) + 1, end - 1)
  }

  /** Attributes as a line has them. */
  protected attributes(from: number): number {
    return eachOf(this.bytes, from, at => this.attribute(at))
  }

  private attribute(from: number): number {
    const { bytes } = this
    let at = expect(bytes, from, attributeBegin)
    const key = this.asideText(at, bytes.length, hashSeed)
    at = expect(bytes, this.asideEnd, valueBegin)
    if (bytes[at] === 0x73) {
      at = expect(bytes, at, stringName)
      this.addHash(this.asideText(at, bytes.length, key))
      at = this.asideEnd
      if (bytes[at++] !== quote) giveUp()
    } else {
      this.addHash(this.asideValue(this.value(at), key))
      at = this.valueEnd
    }
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
}
