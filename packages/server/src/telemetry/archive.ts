import {
  type Days,
  type Db,
  daysInFiles,
  daysInTables,
  openDb,
  openMainReader,
  openMetricStore,
  telemetryDay,
} from '@watchpost/store'
import { Heads } from './heads.ts'
import { RunFilters } from './run-filters.ts'
import { TraceIndex } from './trace-index.ts'

export interface OpenDay {
  day: number
  db: Db
}

/** What was kept, as a thread that answers questions sees it. */
export class Archive {
  readonly main: Db
  /** Series of metrics, and what is left of them after their points. */
  readonly metrics: Db
  readonly points: Days
  readonly days: Days
  /** Those of blocks that were looked at lately. */
  readonly heads = new Heads()
  private readonly filters = new RunFilters()
  /** Of each day the id up to which blocks stay as they are. */
  readonly settledTo = new Map<number, number>()
  /** Days of which everything is in digests. */
  readonly digested = new Set<number>()
  private readonly indexes = new Map<number, TraceIndex>()

  private constructor(main: Db, metrics: Db, days: Days, points: Days) {
    this.metrics = metrics
    this.main = main
    this.days = days
    this.points = points
  }

  static async open(dataDir: string, databaseUrl: string | undefined): Promise<Archive> {
    if (databaseUrl !== undefined) {
      const db = await openDb({ databaseUrl, dataDir, exclusiveOwner: false })
      return new Archive(db, db, daysInTables(db, 'telemetry'), daysInTables(db, 'points'))
    }
    return new Archive(
      openMainReader(dataDir),
      await openMetricStore(dataDir),
      daysInFiles(dataDir, 'telemetry'),
      daysInFiles(dataDir, 'points'),
    )
  }

  get engine(): Db['engine'] {
    return this.main.engine
  }

  /** Newest first. */
  async all(): Promise<OpenDay[]> {
    const days = await opened(this.days)
    const known = new Set(days.map(({ day }) => day))
    for (const day of this.indexes.keys()) if (!known.has(day)) this.indexes.delete(day)
    return days
  }

  /** Changes where blocks of an app were put together; only those of the newest days are. */
  async merges(app_id: number): Promise<string> {
    const seen: number[] = []
    for (const { day, db } of (await this.all()).slice(0, 2)) {
      seen.push((await db.one(telemetryDay(day).merges, { app_id }))?.count ?? 0)
    }
    return seen.join()
  }

  async allPoints(): Promise<OpenDay[]> {
    return opened(this.points)
  }

  /** The index of a day, knowing everything that was kept by now. */
  async index(open: OpenDay): Promise<TraceIndex> {
    let index = this.indexes.get(open.day)
    if (index === undefined) {
      index = new TraceIndex(open, this.filters)
      this.indexes.set(open.day, index)
    }
    await index.refresh()
    return index
  }

  async close(): Promise<void> {
    await this.days.close()
    await this.points.close()
    await this.main.close()
  }
}

async function opened(days: Days): Promise<OpenDay[]> {
  const found: OpenDay[] = []
  for (const day of await days.list()) {
    const db = await days.open(day)
    if (db !== undefined) found.push({ day, db })
  }
  return found
}
