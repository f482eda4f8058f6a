import { type TelemetryBlock, telemetryDay } from '@watchpost/store'
import type { OpenDay } from './archive.ts'
import { BlockFilters } from './block-filters.ts'

/** A block somewhere in the archive. */
export interface FoundBlock extends TelemetryBlock {
  open: OpenDay
}

/** How far a search has come. */
export interface BlockStep {
  /** Nothing that is newer comes after it; epoch ms. */
  last_at: number
  /** One that may have all of what is asked for. */
  block: FoundBlock | undefined
}

export interface WantedBlocks {
  app_id: number
  kind: number
  from: number
  to: number
  /** What a block's filter must have. */
  hashes: number[]
}

/** Blocks of one day that are asked for at once: what each takes is mostly the asking. */
const firstLimits = [4, 16]
const atOnce = 256

/** Blocks of an app, by the newest of what is in them: days are days of arrival, so all of them are gone through at once. */
export async function* newestBlocks(days: OpenDay[], wanted: WantedBlocks): AsyncGenerator<BlockStep> {
  const streams = days.map(open => blocksOf(open, wanted))
  const heads = await Promise.all(streams.map(async stream => (await stream.next()).value as BlockStep | undefined))
  for (;;) {
    let best = -1
    heads.forEach((head, index) => {
      if (head !== undefined && (best < 0 || head.last_at > (heads[best] as BlockStep).last_at)) best = index
    })
    const found = heads[best]
    if (found === undefined) return
    yield found
    heads[best] = (await (streams[best] as AsyncGenerator<BlockStep>).next()).value as BlockStep | undefined
  }
}

async function* blocksOf(open: OpenDay, wanted: WantedBlocks): AsyncGenerator<BlockStep> {
  const { hashes, ...range } = wanted
  const queries = telemetryDay(open.day)
  const filters = new BlockFilters(open, wanted)
  let last_at = Number.MAX_SAFE_INTEGER
  let id = Number.MAX_SAFE_INTEGER
  const steps = async (rows: TelemetryBlock[]): Promise<BlockStep[]> => {
    const holding = await filters.mayHold(rows.map(row => row.id))
    const last = rows.at(-1)
    if (last !== undefined) ({ last_at, id } = last)
    return rows.map(row => ({ last_at: row.last_at, block: holding.has(row.id) ? { ...row, open } : undefined }))
  }
  // A page is mostly filled by the first few.
  for (const limit of firstLimits) {
    const rows = await open.db.all(queries.blocks, { ...range, last_at, id, limit })
    yield* await steps(rows)
    if (rows.length < limit) return
  }
  // What is rare goes on to the last, and digests leave little of it.
  for await (const { from, after, ids } of filters.slices()) {
    for (let count = atOnce; count === atOnce; ) {
      const rows = await open.db.all(queries.blocksAmong, { ...range, from, after, ids, last_at, id, limit: atOnce })
      yield* await steps(rows)
      count = rows.length
    }
    yield { last_at: from - 1, block: undefined }
  }
}

/** How long one question may search. */
const budgetMs = 300

/** Time that one question may take; beyond it the answer says where to go on. */
export class Budget {
  private readonly until: number

  constructor(ms = budgetMs) {
    this.until = performance.now() + ms
  }

  isSpent(): boolean {
    return performance.now() > this.until
  }
}

/** Where a list goes on: after a time and what is at it. */
export function cursorOf(at: number, key: string): string {
  return Buffer.from(JSON.stringify([at, key])).toString('base64url')
}

/** @returns undefined for what is no cursor of ours */
export function readCursor(text: string): [number, string] | undefined {
  try {
    const [at, key] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return typeof at === 'number' && Number.isFinite(at) && typeof key === 'string' ? [at, key] : undefined
  } catch {
    return undefined
  }
}
