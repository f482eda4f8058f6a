import { isUtf8 } from 'node:buffer'
import { type Json, objectOf, resourceOf, scopeOf } from '../ingest/json.ts'
import type { Origin } from '../ingest/rows.ts'
import { hashSeed } from './bloom.ts'
import { Lines, mostFields, textAt } from './lines.ts'
import type { Prepared } from './prepared.ts'
import {
  afterDigits,
  afterTime,
  afterValue,
  ascii,
  brace,
  braceEnd,
  eachOf,
  expect,
  type Fields,
  giveUp,
  goesOn,
  nanosOf,
  quote,
  secondsLength,
  secondsOf,
  stands,
  timeLength,
} from './scan-bytes.ts'

const attributeBegin = ascii('{"key":"')
const valueBegin = ascii('","value":{"')
const valueEnd = ascii('}}')
const textEnd = ascii('"}}')
/** By the kind of a value; the first is a text. */
const valueNames = ['stringValue":"', 'intValue":', 'boolValue":', 'doubleValue":'].map(ascii)
const words = [ascii('true'), ascii('false')]
const numberPattern = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** What is read meanwhile; one thread reads one body at a time. */
const timeSeconds = new Float64Array(mostFields)
const timeNanos = new Int32Array(mostFields)

/** Attributes of an item that are held against those of the one before; others come in their places then. */
const mostPlaces = 64
const perPlace = 5
const lastAttributes = new Int32Array(mostPlaces * perPlace)

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
  /** Reads one that was parsed; @returns its line */
  protected abstract parsed(item: Json, origin: Origin): string

  /** @throws {Unusual} or what JSON.parse throws: the body must be read in the other way then */
  protected walk(): Prepared {
    const { bytes, names } = this
    if (bytes[0] !== brace) giveUp()
    let at = 1 + names.resources.lengthOf(names.resources.find(this.view, 1, -1))
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
      eachOf(this.bytes, list, each => this.line(origin, each, 0)),
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
      const field = fields.find(this.view, at, last)
      if ((seen & (1 << field)) !== 0) giveUp()
      seen |= 1 << field
      at += fields.lengthOf(field)
      if (field === 1) at = take(at)
      else {
        const begin = at
        at = afterValue(bytes, begin)
        sent[field] = this.json(begin, at)
      }
      last = field
      if (!goesOn(bytes[at++])) return { at, sent }
    }
  }

  /** Only what is parsed may have letters beyond ASCII, so only there they can be damaged. */
  private json(from: number, to: number): unknown {
    const text = this.bytes.subarray(from, to)
    // Not for this item alone: such a body is refused as a whole.
    if (!isUtf8(text)) throw new SyntaxError('not UTF-8')
    return JSON.parse(text.toString('utf8'))
  }

  protected other(from: number, _: number, origin: Origin): string {
    this.otherEnd = afterValue(this.bytes, from)
    return this.parsed(objectOf(this.json(from, this.otherEnd), 'an item'), origin)
  }

  protected usual(from: number): number {
    const { bytes, view, fields, begins, ends } = this
    if (bytes[from] !== brace) giveUp()
    for (let at = from + 1, last = -1; ; ) {
      const field = fields.find(view, at, last)
      if (ends[field] !== 0) giveUp()
      at += fields.lengthOf(field)
      begins[field] = at
      at = this.after(field, at)
      ends[field] = at
      last = field
      if (goesOn(bytes[at++])) continue
      this.write()
      return at
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

  /** Of the times of an item, by their fields: whole seconds, and the nanoseconds beyond them. */
  protected readonly seconds = timeSeconds
  protected readonly nanos = timeNanos
  /** Where a time stood whose seconds are known. */
  private secondsAt = -1
  private known = 0

  /** A time of this century; most are of the second that was read last. @returns the place after it */
  protected time(field: number, from: number): number {
    const { bytes, view } = this
    if (this.secondsAt < 0 || !view.same(from, view, this.secondsAt, secondsLength)) {
      afterTime(bytes, from)
      this.known = secondsOf(bytes, from)
      this.secondsAt = from
    }
    this.seconds[field] = this.known
    this.nanos[field] = nanosOf(bytes, from)
    const to = from + timeLength
    return bytes[to - 1] === quote ? to : giveUp()
  }

  /** Attributes as a line has them. */
  protected attributes(from: number): number {
    this.place = 0
    return eachOf(this.bytes, from, at => this.attribute(at))
  }

  private attribute(from: number): number {
    const { bytes, view } = this
    const key = this.key(from)
    if (this.kind > 0) {
      this.addHash(this.value(this.valueAt, key))
      return expect(view, this.valueEnd, valueEnd)
    }
    this.addHash(this.asideText(this.valueAt, bytes.length, key))
    return expect(view, this.asideEnd, textEnd)
  }

  /**
   * A key and the name of its value. In item after item the same come at the same place, so they are held against those of
   * the item before.
   * @returns the hash of the key; {@link valueAt} and {@link kind} are of the value
   */
  private key(from: number): number {
    const { view, before } = this
    const place = (this.place++ % mostPlaces) * perPlace
    const length = before[place + 1] as number
    const begin = from + attributeBegin.length
    if (length > 0 && view.same(from, view, before[place] as number, length)) {
      this.asideKnown(begin, begin + (before[place + 2] as number))
      this.kind = before[place + 3] as number
      this.valueAt = from + length
      return before[place + 4] as number
    }
    const hash = this.asideText(expect(view, from, attributeBegin), view.length, hashSeed)
    const at = expect(view, this.asideEnd, valueBegin)
    this.kind = valueNames.findIndex(name => stands(view, at, name))
    this.valueAt = at + (valueNames[this.kind] ?? giveUp()).length
    before[place] = from
    before[place + 1] = this.valueAt - from
    before[place + 2] = this.asideEnd - begin
    before[place + 3] = this.kind
    before[place + 4] = hash
    return hash
  }

  /** Where the value that is read begins, and where the one that was read last ends. */
  private valueAt = 0
  private valueEnd = 0
  /** Of the value: which of {@link valueNames} it has. */
  private kind = 0
  /** Of the attribute among those of its item. */
  private place = 0
  /** Of the attribute at each place of the item before: where it begins, its length with the name of the value, that of
   * the key, the kind of value, and the hash of the key. */
  private readonly before = lastAttributes.fill(0)

  /** A number or a word, as it is written down; @returns the hash of it and its key */
  private value(from: number, key: number): number {
    const { bytes, view } = this
    if (this.kind === 1) {
      const quoted = bytes[from] === quote
      const at = quoted ? from + 1 : from
      const end = afterDigits(bytes, at)
      if (quoted && bytes[end] !== quote) giveUp()
      this.valueEnd = quoted ? end + 1 : end
      return this.asideRead(at, end, key)
    }
    if (this.kind === 2) {
      const word = words.find(each => stands(view, from, each)) ?? giveUp()
      this.valueEnd = from + word.length
      return this.asideRead(from, this.valueEnd, key)
    }
    const end = bytes.indexOf(braceEnd, from)
    const text = end < 0 || end > from + 30 ? '' : bytes.toString('latin1', from, end)
    const number = Number(text)
    if (!numberPattern.test(text) || !Number.isFinite(number)) giveUp()
    this.valueEnd = end
    return this.asideValue(String(number), key)
  }
}
