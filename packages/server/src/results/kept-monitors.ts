import { type Db, grantedProbes, type MonitorForResult, monitorForResult, regionsOfMonitor } from '@watchpost/store'
import { type KeptMonitor, type KnownRegions, keptMonitor, namesRegions } from './kept-monitor.ts'

/** About a kilobyte each. */
const mostKept = 200_000

/** A monitor's row that is damaged. */
export class UnreadableError extends Error {
  override name = 'UnreadableError'
  constructor(id: number, cause: Error) {
    super(`Monitor ${id} cannot be judged: what is kept of it cannot be read (${cause.message})`, { cause })
  }
}

/** What is kept of monitors between their results, so that a result needs no read. */
export class KeptMonitors {
  private readonly db: Db
  private readonly all = new Map<number, KeptMonitor>()
  /** Those whose rows are behind, in the order of their first entry in the journal. */
  private readonly behind = new Map<number, KeptMonitor>()

  constructor(db: Db) {
    this.db = db
  }

  get behindCount(): number {
    return this.behind.size
  }

  get(id: number): KeptMonitor | undefined {
    return this.all.get(id)
  }

  /**
   * @param probe_id whether this probe was given it is read with it
   * @throws {UnreadableError} where what is kept of it cannot be read
   */
  async load(id: number, probe_id: number): Promise<KeptMonitor | undefined> {
    const row = await this.db.one(monitorForResult, { id, probe_id })
    if (row === undefined) return undefined
    const kept = readable(row, namesRegions(row) ? await this.regionsOf(row) : undefined)
    this.all.set(id, kept)
    if (this.all.size > mostKept) this.makeRoom()
    return kept
  }

  /** Read after the monitor: whoever moved it in between has moved its count, too. */
  private async regionsOf({ team_id, id: monitor_id }: MonitorForResult): Promise<KnownRegions> {
    const key = { team_id, monitor_id }
    const [rows, probes] = await Promise.all([this.db.all(regionsOfMonitor, key), this.db.all(grantedProbes, key)])
    return { rows, probes }
  }

  forget(id: number): void {
    this.all.delete(id)
    this.behind.delete(id)
  }

  forgetAll(): void {
    this.all.clear()
    this.behind.clear()
  }

  /** The journal holds what the rows do not. */
  fallBehind(kept: KeptMonitor, journalId: number, now: number): void {
    // It may have made room for others since it was judged.
    this.all.set(kept.id, kept)
    if (kept.unwritten !== null) return
    kept.unwritten = { journalId, since: now }
    this.behind.set(kept.id, kept)
  }

  /** The rows hold everything. */
  caughtUp(kept: KeptMonitor): void {
    const { memory } = kept
    kept.writtenSeq = memory.seq
    kept.unwritten = null
    memory.moved = false
    memory.avoidProbe = null
    if (memory.votes !== null) for (const vote of memory.votes.regions) vote.moved = false
    if (memory.fullBlocks.length > 0) memory.fullBlocks = []
    if (memory.closed.length > 0) memory.closed = []
    if (memory.late.length > 0) memory.late = []
    this.behind.delete(kept.id)
  }

  /** Those that are behind, in the order of their rows. */
  allBehind(): KeptMonitor[] {
    return [...this.behind.values()].sort((a, b) => a.team_id - b.team_id || a.id - b.id)
  }

  /** Where the journal must begin, once these have caught up; undefined where it may be empty. */
  oldestBehind(except: ReadonlySet<KeptMonitor> = new Set()): KeptMonitor['unwritten'] | undefined {
    for (const kept of this.behind.values()) if (!except.has(kept)) return kept.unwritten
    return undefined
  }

  /** Those kept longest go first, unless their rows are behind. */
  private makeRoom(): void {
    for (const [id, kept] of this.all) {
      if (this.all.size <= mostKept) return
      if (kept.unwritten === null) this.all.delete(id)
    }
  }
}

/** One whose row is damaged must not hold up the others, nor the probe that reports on it. */
function readable(row: MonitorForResult, regions: KnownRegions | undefined): KeptMonitor {
  try {
    return keptMonitor(row, regions)
  } catch (error) {
    throw new UnreadableError(row.id, error as Error)
  }
}
