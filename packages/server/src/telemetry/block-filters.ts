import { telemetryDay } from '@watchpost/store'
import type { OpenDay } from './archive.ts'
import { Bloom } from './bloom.ts'
import type { WantedBlocks } from './slices.ts'

/** Of each filter the id of its block, its length, and its bytes: none where it cannot be folded. */
export function packFilters(blocks: { id: number; bloom: Uint8Array }[]): Buffer {
  const parts: Uint8Array[] = []
  for (const { id, bloom } of blocks) {
    const folded = new Bloom(bloom).folded() ?? new Uint8Array()
    const begin = Buffer.alloc(12)
    begin.writeDoubleLE(id)
    begin.writeUInt32LE(folded.length, 8)
    parts.push(begin, folded)
  }
  return Buffer.concat(parts)
}

function* unpackFilters(packed: Uint8Array): Generator<[number, Bloom | undefined]> {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  for (let at = 0; at < packed.length; ) {
    const length = view.getUint32(at + 8, true)
    const end = at + 12 + length
    yield [view.getFloat64(at, true), length === 0 ? undefined : new Bloom(packed.subarray(at + 12, end))]
    at = end
  }
}

/** Digests that are read at once: a search may be over before the next. */
const digestsAtOnce = 32
/** Blocks that one statement may name. */
const mostNamed = 5000

/** Blocks that may have what is asked for, as far as their digests say. */
export interface Slice {
  /** Of all blocks whose newest is not before this; epoch ms. */
  from: number
  /** Those behind it are in no digest, */
  after: number
  /** and of the others it may be these. */
  ids: number[]
}

/** Blocks of a day that a search can leave out, for their filters. */
export class BlockFilters {
  private readonly open: OpenDay
  private readonly wanted: Omit<WantedBlocks, 'hashes'>
  private readonly hashes: number[]

  constructor(open: OpenDay, { hashes, ...wanted }: WantedBlocks) {
    this.open = open
    this.wanted = wanted
    this.hashes = hashes
  }

  /** Of some blocks those that may have everything that is asked for. */
  async mayHold(ids: number[]): Promise<Set<number>> {
    if (this.hashes.length === 0 || ids.length === 0) return new Set(ids)
    const { db, day } = this.open
    const rows = await db.all(telemetryDay(day).blooms, { app_id: this.wanted.app_id, ids })
    return new Set(rows.filter(({ bloom }) => this.has(new Bloom(bloom))).map(({ id }) => id))
  }

  /** What digests leave of all blocks, the newest first. */
  async *slices(): AsyncGenerator<Slice> {
    const { wanted } = this
    if (this.hashes.length === 0) return yield { from: wanted.from, after: 0, ids: [] }
    const { db, day } = this.open
    const { digests: list, digestFilters } = telemetryDay(day)
    const digests = (await db.all(list, wanted)).toSorted((a, b) => b.last_at - a.last_at)
    const after = Math.max(0, ...digests.map(({ to_id }) => to_id))
    const ids: number[] = []
    for (let at = 0; at === 0 || at < digests.length; at += digestsAtOnce) {
      for (const { to_id } of digests.slice(at, at + digestsAtOnce)) {
        const digest = await db.one(digestFilters, { app_id: wanted.app_id, kind: wanted.kind, to_id })
        for (const [id, filter] of unpackFilters(digest?.filters ?? new Uint8Array())) {
          if (filter === undefined || this.has(filter)) ids.push(id)
        }
      }
      const next = digests[at + digestsAtOnce]
      const from = next === undefined ? wanted.from : Math.max(wanted.from, next.last_at + 1)
      yield ids.length > mostNamed ? { from, after: 0, ids: [] } : { from, after, ids }
    }
  }

  private has(filter: Bloom): boolean {
    return this.hashes.every(hash => filter.has(hash))
  }
}
