import { isUtf8 } from 'node:buffer'
import { withLongsAsText } from './json-longs.ts'
import {
  type Attributes,
  type AttributeValue,
  deepestValue,
  exact,
  type Origin,
  type Resource,
  type Scope,
  serviceOf,
  UnreadableError,
} from './rows.ts'

/** A JSON object whose fields nobody has looked at yet. */
export type Json = { [name: string]: unknown }

/** An integer beyond 2^53 stood there as a number: what was parsed is not what was sent. */
class InexactError extends Error {}

/** Bodies beyond this are looked through before they are parsed: small ones cannot hold enough to matter. */
const lookThrough = 1_048_576
/** Brackets and commas, each of which is a value in memory; what exporters send has half as many in as many bytes. */
const mostValues = 2_000_000
/** Spans, records or metrics of a body at most. */
const mostItems = 300_000
const deepest = 600

/**
 * Reads a JSON body.
 * @param read makes rows of the object; called a second time, with long integers as text, where some were beyond 2^53
 * @throws {UnreadableError}
 */
export function readJson<T>(bytes: Buffer, read: (body: Json) => T): T {
  if (!isUtf8(bytes)) throw new UnreadableError('The body is not UTF-8')
  if (bytes.length > lookThrough) requireModest(bytes)
  try {
    return read(parse(bytes.toString('utf8')))
  } catch (error) {
    if (!(error instanceof InexactError)) throw error
    return read(parse(withLongsAsText(bytes)))
  }
}

function parse(text: string): Json {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new UnreadableError('Invalid JSON input')
  }
  return objectOf(body, 'the body')
}

/** @throws {UnreadableError} for what would be a hundred times as large in memory */
function requireModest(bytes: Buffer): void {
  let depth = 0
  let values = 0
  let inString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (inString) {
      if (byte === 0x5c) at++
      else if (byte === 0x22) inString = false
    } else if (byte === 0x22) inString = true
    else if (byte === 0x2c) values++
    else if (byte === 0x7b || byte === 0x5b) {
      values++
      if (++depth > deepest) throw new UnreadableError('The body is nested too deeply')
    } else if (byte === 0x7d || byte === 0x5d) depth--
  }
  if (values > mostValues) throw new UnreadableError('The body holds too many values; send smaller batches')
}

export function objectOf(value: unknown, what: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  throw new UnreadableError(`${what} must be an object`)
}

/** True or false; false where it is not said. */
export function flagOf(value: unknown, what: string): boolean {
  if (value === undefined || value === null || typeof value === 'boolean') return value === true
  throw new UnreadableError(`${what} must be true or false`)
}

const nothing: Json = {}

/** A message that may be missing or null. */
export function messageOf(value: unknown, what: string): Json {
  return value === undefined || value === null ? nothing : objectOf(value, what)
}

const none: unknown[] = []

/** A repeated field, which may be missing or null. */
export function listOf(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value
  if (value === undefined || value === null) return none
  throw new UnreadableError(`${what} must be an array`)
}

export function textOf(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  throw new UnreadableError(`${what} must be text`)
}

/** Hex digits in either case. */
export function idOf(value: unknown, what: string): string {
  const text = textOf(value, what)
  return /[A-F]/.test(text) ? text.toLowerCase() : text
}

/** An integer of 32 bits or an enum. */
export function integerOf(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isInteger(value)) return value
  if (value === undefined || value === null) return 0
  if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return Number(value)
  throw new UnreadableError(`${what} must be an integer`)
}

/** A 64-bit integer, decimal text or a number, as decimal text. */
export function longOf(value: unknown, what: string): string {
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return value
  if (value === undefined || value === null || value === '') return '0'
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 64) {
    if (!Number.isSafeInteger(value)) throw new InexactError()
    return String(value)
  }
  throw new UnreadableError(`${what} must be an integer`)
}

/** One that has no sign: a time, or how many there are. */
export function unsignedOf(value: unknown, what: string): string {
  const long = longOf(value, what)
  if (long.startsWith('-')) throw new UnreadableError(`${what} must not be negative`)
  return long
}

const words: Record<string, number> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
}

/** A double; null where there is none, or none that JSON has a word for. */
export function doubleOf(value: unknown, what: string): number | null {
  if (typeof value === 'number') return value
  if (value === undefined || value === null) return null
  if (typeof value === 'string') {
    const number = words[value] ?? (/^-?[\d.]+([eE][+-]?\d+)?$/.test(value) ? Number(value) : undefined)
    if (number !== undefined && (!Number.isNaN(number) || value === 'NaN')) return number
  }
  throw new UnreadableError(`${what} must be a number`)
}

export function attributesOf(value: unknown): Attributes {
  const list = listOf(value, 'attributes')
  const attributes: Attributes = []
  for (const entry of list) {
    const { key, value } = objectOf(entry, 'an attribute')
    attributes.push(textOf(key, 'key'), value === undefined || value === null ? null : anyValueOf(value, 1))
  }
  return attributes
}

/** @param depth of nesting so far */
export function anyValueOf(value: unknown, depth: number): AttributeValue {
  if (depth > deepestValue) throw new UnreadableError(`A value is nested deeper than ${deepestValue}`)
  const any = objectOf(value, 'a value')
  const text = any.stringValue
  if (typeof text === 'string') return text
  if (text !== undefined && text !== null) throw new UnreadableError('stringValue must be text')
  if (any.intValue !== undefined && any.intValue !== null) return exact(longOf(any.intValue, 'intValue'))
  if (any.boolValue !== undefined && any.boolValue !== null) {
    if (typeof any.boolValue === 'boolean') return any.boolValue
    throw new UnreadableError('boolValue must be true or false')
  }
  if (any.doubleValue !== undefined && any.doubleValue !== null) {
    const number = doubleOf(any.doubleValue, 'doubleValue')
    return number === null || Number.isFinite(number) ? number : String(number)
  }
  if (any.arrayValue !== undefined && any.arrayValue !== null) {
    const { values } = objectOf(any.arrayValue, 'arrayValue')
    return listOf(values, 'values').map(each => (each === null ? null : anyValueOf(each, depth + 1)))
  }
  if (any.kvlistValue !== undefined && any.kvlistValue !== null) {
    const { values } = objectOf(any.kvlistValue, 'kvlistValue')
    const map: { [key: string]: AttributeValue } = Object.create(null)
    for (const entry of listOf(values, 'values')) {
      const { key, value } = objectOf(entry, 'an attribute')
      map[textOf(key, 'key')] = value === undefined || value === null ? null : anyValueOf(value, depth + 1)
    }
    return map
  }
  return any.bytesValue === undefined ? null : textOf(any.bytesValue, 'bytesValue')
}

export function resourceOf(value: unknown, schemaUrl: unknown): Resource {
  const { attributes: sent, droppedAttributesCount } = messageOf(value, 'resource')
  const attributes = attributesOf(sent)
  return {
    service: serviceOf(attributes),
    attributes,
    schemaUrl: textOf(schemaUrl, 'schemaUrl'),
    dropped: integerOf(droppedAttributesCount, 'droppedAttributesCount'),
  }
}

export function scopeOf(value: unknown, schemaUrl: unknown): Scope {
  const { name, version, attributes, droppedAttributesCount } = messageOf(value, 'scope')
  return {
    name: textOf(name, 'scope.name'),
    version: textOf(version, 'scope.version'),
    attributes: attributesOf(attributes),
    schemaUrl: textOf(schemaUrl, 'schemaUrl'),
    dropped: integerOf(droppedAttributesCount, 'droppedAttributesCount'),
  }
}

/** The three levels that every signal has: by resource, by scope, item. */
export function eachItem(
  body: Json,
  names: { resources: string; scopes: string; items: string },
  take: (item: Json, origin: Origin) => void,
): void {
  let items = 0
  for (const entry of listOf(body[names.resources], names.resources)) {
    const ofResource = objectOf(entry, names.resources)
    const resource = resourceOf(ofResource.resource, ofResource.schemaUrl)
    for (const inner of listOf(ofResource[names.scopes], names.scopes)) {
      const ofScope = objectOf(inner, names.scopes)
      const origin = { resource, scope: scopeOf(ofScope.scope, ofScope.schemaUrl) }
      const list = listOf(ofScope[names.items], names.items)
      items += list.length
      if (items > mostItems) throw new UnreadableError('The body holds too many items; send smaller batches')
      for (const item of list) take(objectOf(item, names.items), origin)
    }
  }
}
