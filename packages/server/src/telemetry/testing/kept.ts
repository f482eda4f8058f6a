import { type Db, insertApp, insertTeam, migrate, migrations } from '@watchpost/store'
import type { Engine, Place } from '@watchpost/store/testing'
import { readExport, type Signal } from '../../ingest/otlp.ts'
import { Archive } from '../archive.ts'
import { type Asked, answers, type Questioned } from '../ask.ts'
import { contentOf, type Entry } from '../entry.ts'
import { FileKeeper } from '../file-keeper.ts'
import type { Keeper } from '../keeper.ts'
import { MetricKeeper } from '../metric-keeper.ts'
import type { TraceSearch } from '../read-traces.ts'
import { TableKeeper } from '../table-keeper.ts'

/** A keeper of one app's telemetry, and the archive beside it. */
export interface Kept {
  keeper: Keeper
  archive: Archive
  db: Db
  /** A request as a keeper takes it. */
  entry(signal: Signal, body: object): Entry
  close(): Promise<void>
}

export async function keptAt(engine: Engine, place: Place, clock: () => number = Date.now): Promise<Kept> {
  const db = await place.open()
  await migrate(db, migrations)
  const at = { created_at: 1, updated_at: 1 }
  const none = { app_token_hash: 't', app_token: 't', api_key_hash: 'k', api_key: 'k', allowed_origins: '[]' }
  await db.commit([
    { query: insertTeam, params: { id: 1, name: 'Shop', plan: 'free', created_at: 1 } },
    { query: insertApp, params: { team_id: 1, id: 1, name: 'Shop', ...none, ...at } },
  ])
  const keeper: Keeper =
    engine === 'sqlite'
      ? await FileKeeper.at(place.dataDir, clock)
      : new TableKeeper(await place.open(), new MetricKeeper(await place.open()), clock, () => undefined)
  await keeper.open()
  const archive = await Archive.open(place.dataDir, place.databaseUrl)
  let id = 0
  return {
    keeper,
    archive,
    db,
    entry(signal, body) {
      id++
      const { items } = readExport(signal, 'application/json', Buffer.from(JSON.stringify(body)))
      const app = { team_id: 1, id: 1, name: 'Shop' }
      const rest = { items: items.length, rejected: 0, reason: '', bytes: items.length }
      return { id, app, signal, hash: `${id}`.padEnd(24, 'a'), ...rest, content: contentOf(signal, items) }
    },
    async close() {
      await archive.close()
      await keeper.close()
      await db.close()
      await place.remove()
    },
  }
}

/** Everything of the app, newest first. */
export const everyTrace: TraceSearch = {
  app_id: 1,
  from: 0,
  to: Number.MAX_SAFE_INTEGER,
  limit: 50,
  cursor: undefined,
  service: undefined,
  attributes: [],
  name: undefined,
  minDuration: undefined,
  maxDuration: undefined,
  status: undefined,
}

/** A search that takes long ends early, and goes on by its cursor. */
export async function allOf<N extends 'traces' | 'logs'>(
  archive: Archive,
  name: N,
  search: Asked<N>,
): Promise<Questioned[N]['answer']['rows']> {
  const rows: unknown[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await answers[name](archive, { ...search, cursor })
    rows.push(...page.rows)
    cursor = page.meta.next_cursor ?? undefined
    if (cursor === undefined) return rows as Questioned[N]['answer']['rows']
  }
}
