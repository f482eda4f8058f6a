import { telemetryDay } from '@watchpost/store'
import type { OpenDay } from './archive.ts'
import { Bloom } from './bloom.ts'
import { Recent } from './recent.ts'

/** Bytes of filters that are remembered. */
const mostBytes = 33_554_432
/** What it takes to remember that there is none. */
const bytesOfNone = 200
/** Items of a filter as blocks have them: a trace is one of many words. */
const tracesOfItem = 4

/** What a run may hold, of which a day of twenty million spans has a hundred; a trace is in one or two. */
export function filterOf(keys: readonly number[]): Bloom {
  const filter = Bloom.of(Math.ceil(keys.length / tracesOfItem))
  for (const key of keys) filter.add(hashOf(key))
  return filter
}

/** Ids of traces are random already. */
const hashOf = (key: number): number => key | 0

/** Filters as they were read: runs never change. */
export class RunFilters {
  private readonly known = new Recent<string, Bloom | null>(mostBytes)

  /** Of each run those of some keys that it may hold. */
  async mayHold({ day, db }: OpenDay, runs: number[], keys: number[]): Promise<Map<number, number[]>> {
    const filters = new Map<number, Bloom | null>()
    const missing: number[] = []
    for (const run of runs) {
      const known = this.known.get(`${day}.${run}`)
      if (known === undefined) missing.push(run)
      else filters.set(run, known)
    }
    if (missing.length > 0) {
      const rows = await db.all(telemetryDay(day).runFilters, { runs: missing })
      const read = new Map(rows.map(({ run, filter }) => [run, new Bloom(filter)]))
      for (const run of missing) {
        const filter = read.get(run) ?? null
        filters.set(run, filter)
        this.known.set(`${day}.${run}`, filter, (filter?.bytes.length ?? 0) + bytesOfNone)
      }
    }
    const held = new Map<number, number[]>()
    for (const [run, filter] of filters) {
      const some = filter === null ? keys : keys.filter(key => filter.has(hashOf(key)))
      if (some.length > 0) held.set(run, some)
    }
    return held
  }
}
