import type { Query } from '../db.ts'
import { dayText, ofDay } from './day.ts'
import { query } from './query.ts'

/** Spans and logs in one family of days, points of metrics in another: they are kept for different times. */
export const telemetryFamilies = ['telemetry', 'points'] as const
export type TelemetryFamily = (typeof telemetryFamilies)[number]

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
export interface TelemetryDay {
  insertBlock: Query
  insertCommit: Query
  commitsAfter: Query<{ seq: number; deltas: string }>
  /** What was kept lately: its answers may be lost. */
  commitsSince: Query<{ kept_at: number; hashes: Uint8Array }>
  lastCommit: Query<{ seq: number; kept_at: number }>
  /** Newest first, by what is in them. */
  blocks: Query<TelemetryBlock>
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
}

export interface SmallBlock {
  kind: number
  app_id: number
  id: number
  items: number
  bytes: number
}

/** A block of points, until its hour is over and they are packed by series. */
export interface InboxRow {
  id: number
  app_id: number
  data: Uint8Array
}

/** The statements about one day of points. */
export interface PointsDay {
  insertInbox: Query
  insertCommit: Query
  commitsSince: Query<{ kept_at: number; hashes: Uint8Array }>
  lastCommit: Query<{ seq: number; kept_at: number }>
  /** Newest first. */
  inboxOf: Query<InboxRow>
  inboxBefore: Query<InboxRow>
  inboxSize: Query<{ count: number }>
  deleteInbox: Query
  insertChunk: Query
  /** Of one series, newest first. */
  chunksOf: Query<{ series_id: number; hour: number; data: Uint8Array }>
}

const blob = '/*sqlite: blob*/ /*postgres: bytea*/'

/** Compressed already: PostgreSQL need not try again. */
const external = (table: string, ...columns: string[]) =>
  `/*postgres: ${columns.map(column => `alter table ${table} alter column ${column} set storage external;`).join(' ')} */`

const createText: Record<TelemetryFamily, (day: number) => string> = {
  telemetry: day => `
create table if not exists telemetry_blocks_${day} (
  kind smallint not null,
  app_id bigint not null,
  id bigint not null,
  items integer not null,
  first_at bigint not null,
  last_at bigint not null,
  services text not null,
  bloom ${blob} not null,
  head ${blob} not null,
  body ${blob} not null
);
${external(`telemetry_blocks_${day}`, 'head', 'bloom', 'body')}
create unique index if not exists telemetry_blocks_${day}_by_id on telemetry_blocks_${day} (id);
create index if not exists telemetry_blocks_${day}_by_time on telemetry_blocks_${day} (app_id, kind, last_at, id);
create table if not exists telemetry_merge_counts_${day} (
  app_id bigint primary key,
  count bigint not null
);
create table if not exists telemetry_commits_${day} (
  seq bigint primary key,
  kept_at bigint not null,
  hashes ${blob} not null,
  deltas text not null
);
create table if not exists telemetry_runs_${day} (
  run integer primary key,
  from_id bigint not null,
  to_id bigint not null
);
create table if not exists telemetry_run_filters_${day} (
  run integer primary key,
  filter ${blob} not null
);
${external(`telemetry_run_filters_${day}`, 'filter')}
create table if not exists telemetry_traces_${day} (
  run integer not null,
  hash bigint not null,
  block_id bigint not null,
  primary key (run, hash, block_id)
) /*sqlite: without rowid*/;
`,
  points: day => `
create table if not exists points_inbox_${day} (
  id bigint primary key,
  app_id bigint not null,
  data ${blob} not null
);
${external(`points_inbox_${day}`, 'data')}
create table if not exists points_commits_${day} (
  seq bigint primary key,
  kept_at bigint not null,
  hashes ${blob} not null
);
create table if not exists points_chunks_${day} (
  app_id bigint not null,
  series_id bigint not null,
  hour integer not null,
  part bigint not null,
  data ${blob} not null,
  primary key (app_id, series_id, hour, part)
) /*sqlite: without rowid*/;
`,
}

const tables: Record<TelemetryFamily, readonly string[]> = {
  telemetry: [
    'telemetry_blocks',
    'telemetry_commits',
    'telemetry_runs',
    'telemetry_run_filters',
    'telemetry_traces',
    'telemetry_merge_counts',
  ],
  points: ['points_inbox', 'points_commits', 'points_chunks'],
}

/** Makes the tables of a day; on PostgreSQL, where all days are in one place, with the row that names it. */
export const createTelemetryDayText = (family: TelemetryFamily, day: number): string => `
/*postgres: insert into telemetry_days (family, day) values ('${family}', ${dayText(day)}) on conflict do nothing; */
${createText[family](dayText(day))}`

export const dropTelemetryDayText = (family: TelemetryFamily, day: number): string => `
delete from telemetry_days where family = '${family}' and day = ${dayText(day)};
${tables[family].map(table => `drop table if exists ${table}_${day};`).join('\n')}`

export const telemetryDays = query<{ day: number }>(
  'telemetryDay.list',
  'select day from telemetry_days where family = @name order by day desc',
)

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
    commitsSince: query(
      `telemetry.commitsSince ${day}`,
      `select kept_at, hashes from telemetry_commits_${day} where kept_at >= @since`,
    ),
    lastCommit: query(
      `telemetry.lastCommit ${day}`,
      `select seq, kept_at from telemetry_commits_${day} order by seq desc limit 1`,
    ),
    // Said so, the index is gone through from where the last page ended; with one `or` alone each page begins at its end.
    blocks: query(
      `telemetry.blocks ${day}`,
      `select id, items, first_at, last_at, services from telemetry_blocks_${day}
       where app_id = @app_id and kind = @kind and last_at >= @from and first_at <= @to
         and last_at <= @last_at and (last_at < @last_at or id < @id)
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
  }),
)

export const pointsDay = ofDay(
  (day): PointsDay => ({
    insertInbox: query(
      `points.insertInbox ${day}`,
      `insert into points_inbox_${day} (id, app_id, data) values (@id, @app_id, @data)`,
    ),
    insertCommit: query(
      `points.insertCommit ${day}`,
      `insert into points_commits_${day} (seq, kept_at, hashes) values (@seq, @kept_at, @hashes)`,
    ),
    commitsSince: query(
      `points.commitsSince ${day}`,
      `select kept_at, hashes from points_commits_${day} where kept_at >= @since`,
    ),
    lastCommit: query(
      `points.lastCommit ${day}`,
      `select seq, kept_at from points_commits_${day} order by seq desc limit 1`,
    ),
    inboxOf: query(
      `points.inboxOf ${day}`,
      `select id, app_id, data from points_inbox_${day} where app_id = @app_id and id < @id order by id desc limit @limit`,
    ),
    inboxBefore: query(
      `points.inboxBefore ${day}`,
      `select id, app_id, data from points_inbox_${day} where id < @id order by app_id, id limit @limit`,
    ),
    inboxSize: query(`points.inboxSize ${day}`, `select count(*) as count from points_inbox_${day}`),
    deleteInbox: query(`points.deleteInbox ${day}`, `delete from points_inbox_${day} where id in (@ids...)`),
    insertChunk: query(
      `points.insertChunk ${day}`,
      `insert into points_chunks_${day} (app_id, series_id, hour, part, data)
       values (@app_id, @series_id, @hour, @part, @data)`,
    ),
    chunksOf: query(
      `points.chunksOf ${day}`,
      `select series_id, hour, data from points_chunks_${day}
       where app_id = @app_id and series_id = @series_id and hour >= @from and hour <= @to order by hour desc, part desc
       limit @limit`,
    ),
  }),
)
