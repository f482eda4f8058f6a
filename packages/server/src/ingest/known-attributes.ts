import type { Attributes } from './rows.ts'
import { View } from './view.ts'

/** Bytes of attributes that are remembered; beyond it all of them are forgotten. */
const most = 4_000_000

/** Attributes, and the bytes that they were read from. */
export interface WrittenAttributes {
  readonly written: View
  readonly attributes: Attributes
  /** Those that came after them the last time. */
  next: WrittenAttributes | undefined
}

/**
 * Attributes of series come every few seconds, written in the same way and mostly in the same order: they are read once. Points
 * of many requests share them, so they are frozen.
 */
export class KnownAttributes {
  private readonly known = new Map<string, WrittenAttributes>()
  private bytes = 0
  private last: WrittenAttributes | undefined

  /** Those that came after the last ones before, where it is they that stand here. */
  guess(view: View, from: number): WrittenAttributes | undefined {
    const next = this.last?.next
    if (next === undefined) return undefined
    const { written } = next
    if (!view.same(from, written, 0, written.length)) return undefined
    this.last = next
    return next
  }

  find(bytes: Buffer, from: number, to: number, read: () => Attributes): Attributes {
    const text = bytes.toString('latin1', from, to)
    const found = this.known.get(text) ?? this.add(text, bytes.subarray(from, to), read())
    if (this.last !== undefined) this.last.next = found
    this.last = found
    return found.attributes
  }

  private add(text: string, bytes: Uint8Array, attributes: Attributes): WrittenAttributes {
    Object.freeze(attributes)
    this.bytes += bytes.length
    if (this.bytes > most) {
      this.known.clear()
      this.last = undefined
      this.bytes = bytes.length
    }
    const entry = { written: new View(new Uint8Array(bytes)), attributes, next: undefined }
    this.known.set(text, entry)
    return entry
  }
}
