import type { Query } from '../db.ts'
import { type CommitsOfDay, commitsOfDay } from './commits-of-day.ts'
import { ofDay } from './day.ts'
import { query } from './query.ts'

/** A block as lists see it, without what it holds. */
export interface TelemetryBlock {
  id: number
  items: number
  first_at: number
  last_at: number
  /** JSON: `[[name, items, errors, last_at], …]`. */
  services: string
}

export interface TelemetryContent {
  id: number
  head: Uint8Array
  body: Uint8Array
}

/** The statements about one day of spans and logs. */
export interface TelemetryDay extends CommitsOfDay {
  insertBlock: Query
  insertCommit: Query
  commitsAfter: Query<{ seq: number; deltas: string }>
  lastBlock: Query<{ id: number }>
  /** Newest first, by what is in them. */
  blocks: Query<TelemetryBlock>
  /** Of them those behind one, and some others. */
  blocksAmong: Query<TelemetryBlock>
  heads: Query<{ id: number; app_id: number; head: Uint8Array }>
  blooms: Query<{ id: number; bloom: Uint8Array }>
  contents: Query<TelemetryContent>
  /** Of spans. */
  blockIds: Query<{ id: number }>
  insertRun: Query
  insertRunFilter: Query
  runs: Query<{ run: number; to_id: number; from_id: number }>
  /** Runs of earlier releases have none. */
  runFilters: Query<{ run: number; filter: Uint8Array }>
  /** Those of some that are there, and stay until the commit is over. */
  holdBlocks: Query<{ id: number }>
  /** Those that name blocks behind one. */
  runsSince: Query<{ run: number }>
  tracesOf: Query<{ hash: number; block_id: number }>
  /** With few items, in the order of arrival. */
  smallBlocks: Query<SmallBlock>
  /** All of a block. */
  wholeBlocks: Query<{ id: number; head: Uint8Array; body: Uint8Array; bloom: Uint8Array }>
  deleteBlocks: Query
  /** In the commit that puts blocks of an app together. */
  countMerge: Query
  /** Another than before says that blocks were put together meanwhile. */
  merges: Query<{ count: number }>
  /** By arrival, of all apps. */
  blocksToDigest: Query<TelemetryBlock & { kind: number; app_id: number; bloom: Uint8Array }>
  insertDigest: Query
  /** Up to which block digests were made. */
  digestedTo: Query<{ to_id: number }>
  /** Those that name blocks behind one. */
  digestsSince: Query<{ to_id: number }>
  /** Newest first, those that may have something of a time. */
  digests: Query<TelemetryDigest>
  digestFilters: Query<{ filters: Uint8Array }>
  /** Newest first, by arrival. */
  blocksBetween: Query<TelemetryBlock>
}

/** What many blocks of an app hold that came one after the other. */
export interface TelemetryDigest {
  /** All blocks of the app from one to another. */
  from_id: number
  to_id: number
  first_at: number
  last_at: number
  /** As of a block; null where there are too many to be told here. */
  services: string | null
}

export interface SmallBlock {
  kind: number
  app_id: number
  id: number
  items: number
  bytes: number
}

export const telemetryDay = ofDay(
  (day): TelemetryDay => ({
    insertBlock: query(
      `telemetry.insertBlock ${day}`,
      `insert into telemetry_blocks_${day} (kind, app_id, id, items, first_at, last_at, services, head, bloom, body)
       values (@kind, @app_id, @id, @items, @first_at, @last_at, @services, @head, @bloom, @body)`,
    ),
    insertCommit: query(
      `telemetry.insertCommit ${day}`,
      `insert into telemetry_commits_${day} (seq, kept_at, hashes, deltas) values (@seq, @kept_at, @hashes, @deltas)`,
    ),
    commitsAfter: query(
      `telemetry.commitsAfter ${day}`,
      `select seq, deltas from telemetry_commits_${day} where seq > @seq order by seq`,
    ),
    ...commitsOfDay('telemetry', day),
    lastBlock: query(`telemetry.lastBlock ${day}`, `select id from telemetry_blocks_${day} order by id desc limit 1`),
    // Said so, the index is gone through from where the last page ended; with one `or` alone each page begins at its end.
    blocks: query(
      `telemetry.blocks ${day}`,
      `select id, items, first_at, last_at, services from telemetry_blocks_${day}
       where app_id = @app_id and kind = @kind and last_at >= @from and first_at <= @to
         and last_at <= @last_at and (last_at < @last_at or id < @id)
       order by last_at desc, id desc limit @limit`,
    ),
    // What is left out is left out in the index: a row of each would be most of the work.
    blocksAmong: query(
      `telemetry.blocksAmong ${day}`,
      `select id, items, first_at, last_at, services from telemetry_blocks_${day}
       where app_id = @app_id and kind = @kind and last_at >= @from and first_at <= @to
         and last_at <= @last_at and (last_at < @last_at or id < @id) and (id > @after or id in (@ids...))
       order by last_at desc, id desc limit @limit`,
    ),
    heads: query(
      `telemetry.heads ${day}`,
      `select id, app_id, head from telemetry_blocks_${day} where id in (@ids...)`,
    ),
    // With the plus they are found by their ids: SQLite would go through all blocks of the app for each few of them.
    blooms: query(
      `telemetry.blooms ${day}`,
      `select id, bloom from telemetry_blocks_${day} where +app_id = @app_id and id in (@ids...)`,
    ),
    contents: query(
      `telemetry.contents ${day}`,
      `select id, head, body from telemetry_blocks_${day} where +app_id = @app_id and id in (@ids...)`,
    ),
    blockIds: query(
      `telemetry.blockIds ${day}`,
      `select id from telemetry_blocks_${day} where kind = 0 and id > @id order by id`,
    ),
    insertRun: query(
      `telemetry.insertRun ${day}`,
      `insert into telemetry_runs_${day} (run, from_id, to_id) values (@run, @from_id, @to_id)`,
    ),
    insertRunFilter: query(
      `telemetry.insertRunFilter ${day}`,
      `insert into telemetry_run_filters_${day} (run, filter) values (@run, @filter)`,
    ),
    runFilters: query(
      `telemetry.runFilters ${day}`,
      `select run, filter from telemetry_run_filters_${day} where run in (@runs...)`,
    ),
    holdBlocks: query(
      `telemetry.holdBlocks ${day}`,
      `select id from telemetry_blocks_${day} where id in (@ids...) /*postgres: for share*/`,
    ),
    runsSince: query(`telemetry.runsSince ${day}`, `select run from telemetry_runs_${day} where to_id >= @id`),
    runs: query(`telemetry.runs ${day}`, `select run, from_id, to_id from telemetry_runs_${day} order by run`),
    tracesOf: query(
      `telemetry.tracesOf ${day}`,
      `select hash, block_id from telemetry_traces_${day} where run = @run and hash in (@hashes...)`,
    ),
    smallBlocks: query(
      `telemetry.smallBlocks ${day}`,
      `select kind, app_id, id, items, length(body) as bytes from telemetry_blocks_${day}
       where id > @after and id < @before and items <= @items order by id limit @limit`,
    ),
    wholeBlocks: query(
      `telemetry.wholeBlocks ${day}`,
      `select id, head, body, bloom from telemetry_blocks_${day} where id in (@ids...) order by id`,
    ),
    deleteBlocks: query(`telemetry.deleteBlocks ${day}`, `delete from telemetry_blocks_${day} where id in (@ids...)`),
    // Whoever counts waits for whoever counted before: a number that was seen never comes again.
    countMerge: query(
      `telemetry.countMerge ${day}`,
      `insert into telemetry_merge_counts_${day} (app_id, count) values (@app_id, 1)
       on conflict (app_id) do update set count = telemetry_merge_counts_${day}.count + 1`,
    ),
    merges: query(`telemetry.merges ${day}`, `select count from telemetry_merge_counts_${day} where app_id = @app_id`),
    blocksToDigest: query(
      `telemetry.blocksToDigest ${day}`,
      `select kind, app_id, id, items, first_at, last_at, services, bloom from telemetry_blocks_${day}
       where id > @after and id <= @until order by id limit @limit`,
    ),
    insertDigest: query(
      `telemetry.insertDigest ${day}`,
      `insert into telemetry_digests_${day} (app_id, kind, from_id, to_id, first_at, last_at, services, filters)
       values (@app_id, @kind, @from_id, @to_id, @first_at, @last_at, @services, @filters)`,
    ),
    digestedTo: query(
      `telemetry.digestedTo ${day}`,
      `select to_id from telemetry_digests_${day} order by to_id desc limit 1`,
    ),
    digestsSince: query(
      `telemetry.digestsSince ${day}`,
      `select to_id from telemetry_digests_${day} where to_id >= @id`,
    ),
    digests: query(
      `telemetry.digests ${day}`,
      `select from_id, to_id, first_at, last_at, services from telemetry_digests_${day}
       where app_id = @app_id and kind = @kind and last_at >= @from and first_at <= @to order by to_id desc`,
    ),
    digestFilters: query(
      `telemetry.digestFilters ${day}`,
      `select filters from telemetry_digests_${day} where app_id = @app_id and kind = @kind and to_id = @to_id`,
    ),
    blocksBetween: query(
      `telemetry.blocksBetween ${day}`,
      `select id, items, first_at, last_at, services from telemetry_blocks_${day}
       where +app_id = @app_id and kind = @kind and last_at >= @from and first_at <= @to
         and id >= @from_id and id <= @to_id order by id desc limit @limit`,
    ),
  }),
)
