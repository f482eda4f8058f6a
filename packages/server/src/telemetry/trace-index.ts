import { ConflictError, ConstraintError, type Step, telemetryDay } from '@watchpost/store'
import type { OpenDay } from './archive.ts'
import { idAt } from './block-ids.ts'
import { filterOf, type RunFilters } from './run-filters.ts'
import { readHead } from './span-head.ts'

/** Entries of a run, and blocks that may be without one. */
const entriesOfRun = 32_768
const mostLoose = 4096
/** Heads that are read at once. */
const headsAtOnce = 200
/** On PostgreSQL a commit with an earlier id may become visible later, but not by so much. */
export const settledMs = 120_000

/** 48 bits of a trace id, told apart by app. */
export function traceKey(app_id: number, traceId: string): number {
  return (Number.parseInt(traceId.slice(20), 16) + app_id * 0x9e3779b1) % 2 ** 48
}

/**
 * Which blocks of a day hold a trace. Of most blocks sorted runs in the store say it; of the newest, which are in no run
 * yet, it is remembered here, read from their heads. Nothing is lost with it.
 */
export class TraceIndex {
  private readonly open: OpenDay
  private readonly filters: RunFilters
  /** Traces of each block that is in no run. */
  private readonly loose = new Map<number, number[]>()
  private readonly blocks = new Map<number, number[]>()
  private entries = 0
  private reading = Promise.resolve()
  private runs: { run: number; from_id: number; to_id: number }[] = []

  constructor(open: OpenDay, filters: RunFilters) {
    this.open = open
    this.filters = filters
  }

  /** Learns of what was kept since. One at a time: two that read at once would each learn the same, or forget what the other learned. */
  async refresh(): Promise<void> {
    const read = () => this.read()
    this.reading = this.reading.then(read, read)
    await this.reading
  }

  private async read(): Promise<void> {
    const { db, day } = this.open
    const queries = telemetryDay(day)
    this.runs = await db.all(queries.runs, {})
    const covered = this.coveredTo()
    for (const id of this.loose.keys()) if (id <= covered) this.forget(id)
    const ids = (await db.all(queries.blockIds, { id: covered })).map(({ id }) => id)
    const present = new Set(ids)
    // Put together with others, and known by another id.
    for (const id of this.loose.keys()) if (!present.has(id)) this.forget(id)
    const unknown = ids.filter(id => !this.loose.has(id))
    for (let at = 0; at < unknown.length; at += headsAtOnce) {
      const rows = await db.all(queries.heads, { ids: unknown.slice(at, at + headsAtOnce) })
      for (const { id, app_id, head } of rows) this.learn(app_id, id, readHead(head).traces)
    }
  }

  /** Blocks that hold any of these traces; a few may not, since 48 bits are not all. */
  async find(keys: number[]): Promise<Map<number, number[]>> {
    const found = new Map<number, number[]>(keys.map(key => [key, [...(this.blocks.get(key) ?? [])]]))
    const runs = this.runs.map(({ run }) => run)
    if (runs.length === 0) return found
    const { db, day } = this.open
    const held = [...(await this.filters.mayHold(this.open, runs, keys))]
    const rows = await Promise.all(held.map(([run, hashes]) => db.all(telemetryDay(day).tracesOf, { run, hashes })))
    for (const { hash, block_id } of rows.flat()) found.get(hash)?.push(block_id)
    return found
  }

  /** Writes a run once there is enough for one. */
  async tidy(now: number, enough = entriesOfRun): Promise<void> {
    if (this.entries < enough && this.loose.size < mostLoose) return
    const until = this.open.db.engine === 'postgres' ? idAt(now - settledMs) : Number.MAX_SAFE_INTEGER
    const ids = [...this.loose.keys()].filter(id => id < until).toSorted((a, b) => a - b)
    const entries = ids.reduce((sum, id) => sum + (this.loose.get(id)?.length ?? 0), 0)
    const [from_id, to_id] = [ids[0], ids.at(-1)]
    if (from_id === undefined || to_id === undefined) return
    // What is not settled yet counts for the next run: many small ones would make every trace slow to find.
    if (entries < enough && ids.length < mostLoose) return
    const rows = ids.flatMap(block_id => (this.loose.get(block_id) ?? []).map(hash => ({ hash, block_id })))
    const run = (this.runs.at(-1)?.run ?? 0) + 1
    const sorted = rows.toSorted((a, b) => a.hash - b.hash || a.block_id - b.block_id)
    const { db, day } = this.open
    const { holdBlocks, insertRun, insertRunFilter } = telemetryDay(day)
    const filter = filterOf(rows.map(({ hash }) => hash)).bytes
    const steps: Step[] = [
      { query: holdBlocks, params: { ids }, expect: ids.length },
      { query: insertRun, params: { run, from_id, to_id } },
      { query: insertRunFilter, params: { run, filter } },
    ]
    try {
      // In the order of their keys each page is written once.
      await db.append(
        `telemetry_traces_${day}`,
        sorted.map(row => ({ run, ...row })),
        steps,
      )
    } catch (error) {
      // Another replica has just written it, or put some of these blocks together.
      if (!(error instanceof ConstraintError || error instanceof ConflictError)) throw error
    }
    await this.refresh()
  }

  /** Blocks up to this id are in runs. */
  coveredTo(): number {
    return this.runs.at(-1)?.to_id ?? 0
  }

  private learn(app_id: number, id: number, traces: string[]): void {
    const keys = [...new Set(traces.map(trace => traceKey(app_id, trace)))]
    this.loose.set(id, keys)
    this.entries += keys.length
    for (const key of keys) {
      const blocks = this.blocks.get(key)
      if (blocks === undefined) this.blocks.set(key, [id])
      else blocks.push(id)
    }
  }

  private forget(id: number): void {
    const keys = this.loose.get(id) ?? []
    this.loose.delete(id)
    this.entries -= keys.length
    for (const key of keys) {
      const rest = (this.blocks.get(key) ?? []).filter(block => block !== id)
      if (rest.length === 0) this.blocks.delete(key)
      else this.blocks.set(key, rest)
    }
  }
}
