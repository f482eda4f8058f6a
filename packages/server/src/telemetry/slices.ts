import { type TelemetryBlock, telemetryDay } from '@watchpost/store'
import type { OpenDay } from './archive.ts'
import { Bloom } from './bloom.ts'

/** A block somewhere in the archive. */
export interface FoundBlock extends TelemetryBlock {
  open: OpenDay
  /** Whether its filter may have all of what is asked for. */
  mayHold: boolean
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
const atOnce = 256

/** Blocks of an app, by the newest of what is in them: days are days of arrival, so all of them are gone through at once. */
export async function* newestBlocks(days: OpenDay[], wanted: WantedBlocks): AsyncGenerator<FoundBlock> {
  const streams = days.map(open => blocksOf(open, wanted))
  const heads = await Promise.all(streams.map(async stream => (await stream.next()).value as FoundBlock | undefined))
  for (;;) {
    let best = -1
    heads.forEach((head, index) => {
      if (head !== undefined && (best < 0 || head.last_at > (heads[best] as FoundBlock).last_at)) best = index
    })
    const found = heads[best]
    if (found === undefined) return
    yield found
    heads[best] = (await (streams[best] as AsyncGenerator<FoundBlock>).next()).value as FoundBlock | undefined
  }
}

async function* blocksOf(open: OpenDay, { hashes, ...wanted }: WantedBlocks): AsyncGenerator<FoundBlock> {
  let last_at = Number.MAX_SAFE_INTEGER
  let id = Number.MAX_SAFE_INTEGER
  // A page is mostly filled by the first; what is rare goes on to the last.
  for (let limit = 4; ; limit = Math.min(atOnce, limit * 4)) {
    const rows = await open.db.all(telemetryDay(open.day).blocks, { ...wanted, last_at, id, limit })
    const holding = await blocksThatMayHold(open, wanted.app_id, rows, hashes)
    for (const row of rows) yield { ...row, open, mayHold: holding?.has(row.id) ?? true }
    const last = rows.at(-1)
    if (last === undefined || rows.length < limit) return
    last_at = last.last_at
    id = last.id
  }
}

/** @returns undefined where nothing is asked of them */
async function blocksThatMayHold(
  { db, day }: OpenDay,
  app_id: number,
  rows: TelemetryBlock[],
  hashes: number[],
): Promise<Set<number> | undefined> {
  if (hashes.length === 0 || rows.length === 0) return undefined
  const blooms = await db.all(telemetryDay(day).blooms, { app_id, ids: rows.map(({ id }) => id) })
  const holding = blooms.filter(({ bloom }) => {
    const filter = new Bloom(bloom)
    return hashes.every(hash => filter.has(hash))
  })
  return new Set(holding.map(({ id }) => id))
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
