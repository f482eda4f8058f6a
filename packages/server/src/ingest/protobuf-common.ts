import type { Reader } from './protobuf.ts'
import {
  type Attributes,
  type AttributeValue,
  deepestValue,
  type Origin,
  type Resource,
  type Scope,
  serviceOf,
  UnreadableError,
  unnamedService,
  writable,
} from './rows.ts'

/** An integer as a number where that is exact, and as text otherwise. */
export function exactInteger(value: bigint): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

/** Adds one KeyValue message to a flat list. */
export function readAttribute(reader: Reader, attributes: Attributes): void {
  let key = ''
  let value: AttributeValue = null
  reader.message(() => {
    while (reader.next()) {
      if (reader.field === 1 && reader.is(2)) key = reader.text()
      else if (reader.field === 2 && reader.is(2)) value = readValue(reader, 1)
      else if (reader.field > 2) reader.skip()
    }
  })
  attributes.push(key, value)
}

/** @param depth of nesting so far */
export function readValue(reader: Reader, depth: number): AttributeValue {
  if (depth > deepestValue) throw new UnreadableError(`A value is nested deeper than ${deepestValue}`)
  let value: AttributeValue = null
  reader.message(() => {
    while (reader.next()) {
      switch (reader.field) {
        case 1:
          if (reader.is(2)) value = reader.text()
          break
        case 2:
          if (reader.is(0)) value = reader.bool()
          break
        case 3:
          if (reader.is(0)) value = exactInteger(reader.int64())
          break
        case 4:
          if (reader.is(1)) value = writable(reader.double())
          break
        case 5:
          if (reader.is(2)) value = readArray(reader, depth)
          break
        case 6:
          if (reader.is(2)) value = readMap(reader, depth)
          break
        case 7:
          if (reader.is(2)) value = reader.base64()
          break
        default:
          reader.skip()
      }
    }
  })
  return value
}

function readArray(reader: Reader, depth: number): AttributeValue[] {
  const values: AttributeValue[] = []
  reader.message(() => {
    while (reader.next()) {
      if (reader.field === 1 && reader.is(2)) values.push(readValue(reader, depth + 1))
      else if (reader.field !== 1) reader.skip()
    }
  })
  return values
}

function readMap(reader: Reader, depth: number): AttributeValue {
  const map: { [key: string]: AttributeValue } = Object.create(null)
  reader.message(() => {
    while (reader.next()) {
      if (reader.field !== 1) reader.skip()
      else if (reader.is(2)) {
        let key = ''
        let value: AttributeValue = null
        reader.message(() => {
          while (reader.next()) {
            if (reader.field === 1 && reader.is(2)) key = reader.text()
            else if (reader.field === 2 && reader.is(2)) value = readValue(reader, depth + 1)
            else if (reader.field > 2) reader.skip()
          }
        })
        map[key] = value
      }
    }
  })
  return map
}

function readResource(reader: Reader, resource: Resource): void {
  reader.message(() => {
    while (reader.next()) {
      if (reader.field === 1 && reader.is(2)) readAttribute(reader, resource.attributes)
      else if (reader.field === 2 && reader.is(0)) resource.dropped = reader.uint32()
      else if (reader.field > 2) reader.skip()
    }
  })
  resource.service = serviceOf(resource.attributes)
}

function readScope(reader: Reader, scope: Scope): void {
  reader.message(() => {
    while (reader.next()) {
      if (reader.field === 1 && reader.is(2)) scope.name = reader.text()
      else if (reader.field === 2 && reader.is(2)) scope.version = reader.text()
      else if (reader.field === 3 && reader.is(2)) readAttribute(reader, scope.attributes)
      else if (reader.field === 4 && reader.is(0)) scope.dropped = reader.uint32()
      else if (reader.field > 4) reader.skip()
    }
  })
}

/**
 * The three levels that every signal has, by the same field numbers: by resource, by scope, item. A resource may come
 * after its items: what belongs to it holds the object, which is filled by the end.
 */
export function eachMessage(reader: Reader, take: (reader: Reader, origin: Origin) => void): void {
  while (reader.next()) {
    if (reader.field !== 1) reader.skip()
    else if (reader.is(2)) {
      const resource: Resource = { service: unnamedService, attributes: [], schemaUrl: '', dropped: 0 }
      reader.item(() => {
        while (reader.next()) {
          if (reader.field === 1 && reader.is(2)) readResource(reader, resource)
          else if (reader.field === 2 && reader.is(2)) readScoped(reader, resource, take)
          else if (reader.field === 3 && reader.is(2)) resource.schemaUrl = reader.text()
          else if (reader.field > 3) reader.skip()
        }
      })
    }
  }
}

function readScoped(reader: Reader, resource: Resource, take: (reader: Reader, origin: Origin) => void): void {
  const scope: Scope = { name: '', version: '', attributes: [], schemaUrl: '', dropped: 0 }
  const origin = { resource, scope }
  reader.item(() => {
    while (reader.next()) {
      if (reader.field === 1 && reader.is(2)) readScope(reader, scope)
      else if (reader.field === 2 && reader.is(2)) reader.item(() => take(reader, origin))
      else if (reader.field === 3 && reader.is(2)) scope.schemaUrl = reader.text()
      else if (reader.field > 3) reader.skip()
    }
  })
}
