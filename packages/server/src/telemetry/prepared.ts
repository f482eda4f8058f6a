import type { Origin } from '../ingest/rows.ts'
import type { Bloom } from './bloom.ts'

/**
 * Items of one request as their block wants them. They wait for others, and so do all that came with them: bytes and a few
 * numbers each, which nobody has to look after meanwhile as after the objects that were parsed.
 */
export interface Prepared {
  count: number
  /** Their lines, each with its end. */
  text: Buffer
  lineEnds: Uint32Array
  origins: Origin[]
  /** For the filter of the block, those of an item up to its end. */
  hashes: Int32Array
  hashEnds: Uint32Array
}

/** Some of them, from one to before another. */
export interface Part<P extends Prepared> {
  prepared: P
  from: number
  to: number
}

export function textOf(lines: string[]): Pick<Prepared, 'text' | 'lineEnds'> {
  const joined = lines.length === 0 ? '' : `${lines.join('\n')}\n`
  const text = Buffer.from(joined)
  // Mostly every character is a byte.
  const isPlain = text.length === joined.length
  const lineEnds = new Uint32Array(lines.length)
  let end = 0
  lines.forEach((line, at) => {
    end += (isPlain ? line.length : Buffer.byteLength(line)) + 1
    lineEnds[at] = end
  })
  return { text, lineEnds }
}

/** The lines of a part. */
export function linesOf({ prepared: { text, lineEnds }, from, to }: Part<Prepared>): Buffer {
  return text.subarray(from === 0 ? 0 : lineEnds[from - 1], lineEnds[to - 1])
}

/** Makes the items of a part known to the filter of their block. */
export function addPart(bloom: Bloom, { prepared: { hashes, hashEnds }, from, to }: Part<Prepared>): void {
  const last = hashEnds[to - 1] as number
  for (let at = from === 0 ? 0 : (hashEnds[from - 1] as number); at < last; at++) bloom.add(hashes[at] as number)
}

export const itemsOf = (parts: readonly Part<Prepared>[]): number =>
  parts.reduce((sum, { from, to }) => sum + to - from, 0)

/** Parts in pieces of like size, none with more items than a block may have. */
export function slicesOf<P extends Prepared>(parts: readonly Part<P>[], most: number): Part<P>[][] {
  const total = itemsOf(parts)
  const size = Math.ceil(total / Math.max(1, Math.ceil(total / most)))
  const slices: Part<P>[][] = []
  let room = 0
  for (const { prepared, from, to } of parts) {
    for (let at = from; at < to; ) {
      if (room === 0) {
        slices.push([])
        room = size
      }
      const end = Math.min(to, at + room)
      slices.at(-1)?.push({ prepared, from: at, to: end })
      room -= end - at
      at = end
    }
  }
  return slices
}
