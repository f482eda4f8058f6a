import type { Attributes, AttributeValue } from '../ingest/rows.ts'

/** Bytes of the filter for each item of a block. */
const bytesPerItem = 8
const probes = 4
/** Of filters that have no salt. */
const earlierProbes = 3
/** Of a long value its beginning and its length are enough to leave a block out. */
export const longestHashed = 48

const recents = 2048

let salts = 0

/**
 * What a block may hold: says no for certain, and yes with a small chance to be wrong. Blocks hold much that is the same in
 * all of them, so each has a salt, its last byte: what one is wrong about, the next is not.
 */
export class Bloom {
  readonly bytes: Uint8Array
  private readonly bits: number
  private readonly inverse: number
  private readonly salt: number
  private readonly probes: number
  /** Hashes that were added a while ago, each at its place: most come again and again. */
  private recent: Int32Array | undefined

  constructor(bytes: Uint8Array) {
    const isSalted = bytes.length % 2 === 1
    this.bytes = bytes
    this.bits = (isSalted ? bytes.length - 1 : bytes.length) * 8
    this.inverse = 1 / this.bits
    this.salt = isSalted ? Math.imul(bytes.at(-1) as number, 0x9e3779b1) : 0
    this.probes = isSalted ? probes : earlierProbes
  }

  static of(items: number): Bloom {
    const bytes = new Uint8Array(Math.max(16, items * bytesPerItem) + 1)
    bytes[bytes.length - 1] = salts++
    const bloom = new Bloom(bytes)
    bloom.recent = new Int32Array(recents)
    return bloom
  }

  /** Says yes to everything from now on. */
  fill(): void {
    this.bytes.fill(0xff, 0, this.bits / 8)
  }

  /**
   * Half of it, wrong more often: each bit stands for two.
   * @returns undefined for one of an earlier release
   */
  folded(): Uint8Array | undefined {
    if (this.bytes.length % 2 === 0) return undefined
    const size = (this.bytes.length - 1) / 2
    const folded = new Uint8Array(size + 1)
    for (let at = 0; at < size; at++) folded[at] = (this.bytes[at] as number) | (this.bytes[size + at] as number)
    folded[size] = this.bytes.at(-1) as number
    return folded
  }

  add(hash: number): void {
    if (this.recent !== undefined) {
      const last = hash & (recents - 1)
      if (this.recent[last] === hash && hash !== 0) return
      this.recent[last] = hash
    }
    const { bytes, bits, inverse } = this
    let place = hash ^ this.salt
    const step = mix(place)
    for (let probe = 0; probe < this.probes; probe++) {
      // The rest of a division, by a multiplication: that takes half the time.
      const whole = place >>> 0
      let bit = (whole - Math.floor(whole * inverse) * bits) | 0
      if (bit < 0) bit += bits
      else if (bit >= bits) bit -= bits
      bytes[bit >> 3] = (bytes[bit >> 3] as number) | (1 << (bit & 7))
      place = (place + step) | 0
    }
  }

  has(hash: number): boolean {
    let place = hash ^ this.salt
    const step = mix(place)
    for (let probe = 0; probe < this.probes; probe++) {
      const bit = (place >>> 0) % this.bits
      if (((this.bytes[bit >> 3] as number) & (1 << (bit & 7))) === 0) return false
      place = (place + step) | 0
    }
    return true
  }
}

export const hashSeed = 0x811c9dc5

/** FNV-1a: over the first characters, and how many there are. */
export const hashStep = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193)

/** Goes on from an earlier hash. */
function feed(from: number, text: string): number {
  let hash = from
  const end = Math.min(text.length, longestHashed)
  for (let at = 0; at < end; at++) hash = hashStep(hash, text.charCodeAt(at))
  return hashStep(hash, text.length)
}

function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) | 1
}

/** The same keys come with every item: what they hash to is remembered. */
const keys = new Map<string, number>()

function keyHash(key: string): number {
  let hash = keys.get(key)
  if (hash === undefined) {
    hash = feed(hashSeed, key)
    if (keys.size > 10_000) keys.clear()
    if (key.length <= longestHashed) keys.set(key, hash)
  }
  return hash
}

/** What a value is compared as: `attr.key=value` asks for text. */
export function wordOf(value: AttributeValue | undefined): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

export const attributeHash = (key: string, value: string): number => feed(keyHash(key), value)

export function addHashes(hashes: number[], attributes: Attributes): void {
  for (let at = 0; at < attributes.length; at += 2) {
    hashes.push(attributeHash(attributes[at] as string, wordOf(attributes[at + 1])))
  }
}

export function addAttributes(bloom: Bloom, attributes: Attributes): void {
  for (let at = 0; at < attributes.length; at += 2) {
    bloom.add(attributeHash(attributes[at] as string, wordOf(attributes[at + 1])))
  }
}

export const wordHash = (word: string): number => feed(hashSeed, word)

const wordPattern = /[\p{L}\p{N}_]+/gu

/** A text longer than this is looked through when it is searched, instead of taken to its words. */
export const longestText = 65_536

/** @returns whether it was short enough; a filter says yes to all words otherwise */
export function addWords(hashes: number[], text: string): boolean {
  if (text.length > longestText) return false
  if (!addPlainWords(hashes, text)) for (const word of wordsOf(text)) hashes.push(wordHash(word))
  return true
}

/** Of each byte what it is in a word, in lower case; 0 where it is in none, and for letters beyond ASCII. */
export const inWord = Uint8Array.from({ length: 256 }, (_, code) => {
  const lower = String.fromCharCode(code).toLowerCase()
  return code < 128 && /[a-z0-9_]/.test(lower) ? lower.charCodeAt(0) : 0
})

/** Most texts have no other characters, and their words are hashed where they stand: a fifth of the time. */
function addPlainWords(hashes: number[], text: string): boolean {
  let hash = hashSeed
  let length = 0
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    if (code > 127) return false
    const letter = inWord[code] as number
    if (letter !== 0) {
      if (length < longestHashed) hash = hashStep(hash, letter)
      length++
    } else if (length > 0) {
      hashes.push(hashStep(hash, length))
      hash = hashSeed
      length = 0
    }
  }
  return true
}

/** Whether a text has all of some words. */
export function hasWords(text: string, words: string[]): boolean {
  if (text.length <= longestText) {
    const spoken = wordsOf(text)
    return words.every(word => spoken.has(word))
  }
  const lower = text.toLowerCase()
  return words.every(word => new RegExp(`(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`, 'u').test(lower))
}

/** Words of a text as it is searched: in lower case, each once. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(wordPattern))
}
