import { View } from '../ingest/view.ts'

/** Something is not written as it mostly is: right or wrong, others judge it. */
export class Unusual extends Error {}
const unusual = new Unusual('not written as it mostly is')

export function giveUp(): never {
  throw unusual
}

/** Larger bodies must be looked through for what they would be in memory. */
export const largestScanned = 1_048_576

export const quote = 0x22
export const comma = 0x2c
export const bracket = 0x5b
export const bracketEnd = 0x5d
export const brace = 0x7b
export const braceEnd = 0x7d
export const zero = 0x30

/** Bytes that stand for themselves in a text of JSON, read and written. */
export const plain = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(code >= 0x20 && code < 0x7f && code !== quote && code !== 0x5c),
)

/** A text that is looked for. */
export const ascii = (text: string): View => new View(Buffer.from(text, 'latin1'))

/** Names of a message; which comes after which is mostly the same, so the one that did last is tried first. */
export class Fields {
  private readonly names: View[]
  private readonly next: number[]

  constructor(names: string[]) {
    this.names = names.map(name => ascii(`"${name}":`))
    this.next = [...names.keys(), 0]
  }

  /** @param last the one before it, -1 at first */
  find(view: View, at: number, last: number): number {
    const guess = this.next[last + 1] as number
    if (stands(view, at, this.names[guess] as View)) return guess
    for (let field = 0; field < this.names.length; field++) {
      if (!stands(view, at, this.names[field] as View)) continue
      this.next[last + 1] = field
      return field
    }
    return giveUp()
  }

  lengthOf(field: number): number {
    return (this.names[field] as View).length
  }
}

export function stands(view: View, at: number, text: View): boolean {
  return view.same(at, text, 0, text.length)
}

/** @returns the place after it */
export function expect(view: View, at: number, text: View): number {
  return stands(view, at, text) ? at + text.length : giveUp()
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
export function eachOf(bytes: Uint8Array, from: number, take: (at: number) => number): number {
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
export function afterValue(bytes: Uint8Array, from: number): number {
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

/** @param at where the quote is, before hexadecimal digits in lower case, not all of them zero */
export function afterId(bytes: Uint8Array, from: number, length: number): number {
  const to = from + 1 + length
  let any = 0
  for (let at = from + 1; at < to; at++) {
    const byte = bytes[at] as number
    if (!((byte >= zero && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66))) giveUp()
    any |= byte ^ zero
  }
  return bytes[from] === quote && bytes[to] === quote && any !== 0 ? to + 1 : giveUp()
}

/** Of nanoseconds of this century, quotes counted in. */
export const timeLength = 21

/** @param from where the quote is, before nanoseconds of this century */
export function afterTime(bytes: Uint8Array, from: number): number {
  const to = from + timeLength - 1
  if (bytes[from] !== quote || bytes[to] !== quote) giveUp()
  nanosOf(bytes, from)
  return (bytes[from + 1] as number) >= zero && secondsOf(bytes, from) < latestSecond ? to + 1 : giveUp()
}

/** Beyond it seconds, times a thousand million, are not exact. */
export const latestSecond = 4e9

/** Of a time, the quote before it counted in: whole seconds, and the nanoseconds beyond them. */
export const secondsOf = (bytes: Uint8Array, at: number): number =>
  ((bytes[at + 1] as number) - zero) * 1e9 + nineDigits(bytes, at + 2)
export const nanosOf = (bytes: Uint8Array, at: number): number => nineDigits(bytes, at + 11)

/** Bytes of a time up to its nanoseconds. */
export const secondsLength = 11

/** As many as a word holds: without a double in between they take half of the time. */
function nineDigits(bytes: Uint8Array, from: number): number {
  let value = 0
  for (let at = from; at < from + 9; at++) {
    const digit = ((bytes[at] as number) - zero) >>> 0
    if (digit > 9) giveUp()
    value = (Math.imul(value, 10) + digit) | 0
  }
  return value
}

/** As `msOf` of a time's text. */
export function msFrom(seconds: number, nanos: number): number {
  const rest = nanos % 1_000_000
  return seconds * 1000 + (nanos - rest) / 1_000_000 + rest / 1e6
}
