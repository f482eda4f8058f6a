import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Attributes, Origin } from '../ingest/rows.ts'
import { release } from './release.ts'

/** Items of one app that were kept together. */
export interface Block {
  kind: number
  items: number
  /** Of what is in it, epoch ms. */
  first_at: number
  last_at: number
  /** JSON, see {@link ServiceCount}. */
  services: string
  head: Uint8Array
  bloom: Uint8Array
  body: Uint8Array
}

export const kinds = { spans: 0, logs: 1 } as const

/** Name, items, errors, time of the newest in epoch ms. */
export type ServiceCount = [string, number, number, number]

/** Items of a block at most: one that is looked for is found by opening one of them. */
export const mostItems = 2000

/**
 * What is packed comes out in pieces of this size: in fewer than by default, which take a tenth longer. Items are like those just
 * before them, so a window of 256 kB, for which less memory has to be made ready, finds as much as one of the whole block.
 */
const level = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    [constants.ZSTD_c_windowLog]: 18,
    [constants.ZSTD_c_hashLog]: 13,
  },
  chunkSize: 65_536,
}
/** More than any block of ours becomes: bytes that are damaged must not fill the memory. */
const largest = { maxOutputLength: 268_435_456 }

export const pack = (bytes: Uint8Array | string): Buffer => zstdCompressSync(bytes, level)
export const unpack = (bytes: Uint8Array): Buffer => zstdDecompressSync(bytes, largest)
/** Of what becomes a megabyte: in pieces of the default it takes twice as long. */
export const unpackBody = (bytes: Uint8Array): Buffer => zstdDecompressSync(bytes, { ...largest, chunkSize: 524_288 })

/** Who sent the items of a block: each sender once, whichever requests they came with. */
export class Origins {
  private readonly places = new Map<Origin, number>()
  private readonly byText = new Map<string, number>()
  readonly texts: string[] = []
  readonly all: Origin[] = []

  placeOf(origin: Origin): number {
    let place = this.places.get(origin)
    if (place !== undefined) return place
    const text = JSON.stringify(origin)
    place = this.byText.get(text)
    if (place === undefined) {
      place = this.texts.push(text) - 1
      this.all.push(origin)
      this.byText.set(text, place)
    }
    this.places.set(origin, place)
    return place
  }
}

/** Counts what a block holds of each service. */
export class Services {
  readonly names: string[] = []
  private readonly places = new Map<string, number>()
  private readonly counts: ServiceCount[] = []

  placeOf(name: string): number {
    let place = this.places.get(name)
    if (place === undefined) {
      place = this.names.push(name) - 1
      this.places.set(name, place)
      this.counts.push([name, 0, 0, 0])
    }
    return place
  }

  count(place: number, isError: boolean, at: number): void {
    const count = this.counts[place] as ServiceCount
    count[1]++
    if (isError) count[2]++
    if (at > count[3]) count[3] = Math.floor(at)
  }

  toString(): string {
    return JSON.stringify(this.counts)
  }
}

/** A body: a line with the senders, then one line an item. */
export function packText(origins: Origins, lines: Buffer[]): Buffer {
  const whole = Buffer.concat([Buffer.from(`[${origins.texts.join(',')}]\n`), ...lines])
  const packed = pack(whole)
  release(whole)
  return packed
}

/**
 * Milliseconds since 1970 of decimal nanoseconds, with a fraction. Divided as a whole, which no number holds exactly, one in eight
 * of those that have none would be of the millisecond before.
 */
export function msOf(nanos: string): number {
  return nanos.length < 7 || nanos.startsWith('-')
    ? Number(nanos) / 1e6
    : wholeMsOf(nanos) + Number(nanos.slice(-6)) / 1e6
}

/** The same without the fraction, exact. */
export function wholeMsOf(nanos: string): number {
  return nanos.startsWith('-') ? Math.floor(Number(nanos) / 1e6) : Number(nanos.slice(0, -6))
}

/** The difference of two decimal nanoseconds, exact for anything that ends within a hundred days. */
export function nanosBetween(from: string, to: string): number {
  const seconds = Number(to.slice(0, -9)) - Number(from.slice(0, -9))
  return seconds * 1e9 + (Number(to.slice(-9)) - Number(from.slice(-9)))
}

/** A flat list of keys and values as an object; of a key that is there twice the last holds. */
export function objectOfAttributes(attributes: Attributes): Record<string, unknown> {
  // Without a prototype: `__proto__` is a key like any other.
  const object: Record<string, unknown> = Object.create(null)
  for (let at = 0; at < attributes.length; at += 2) object[attributes[at] as string] = attributes[at + 1]
  return object
}
