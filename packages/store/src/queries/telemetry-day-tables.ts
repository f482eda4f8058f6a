import { dayText } from './day.ts'
import { query } from './query.ts'

/** Spans and logs in one family of days, points of metrics in another: they are kept for different times. */
export const telemetryFamilies = ['telemetry', 'points'] as const
export type TelemetryFamily = (typeof telemetryFamilies)[number]

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
create table if not exists telemetry_digests_${day} (
  app_id bigint not null,
  kind smallint not null,
  to_id bigint not null,
  from_id bigint not null,
  first_at bigint not null,
  last_at bigint not null,
  services text,
  filters ${blob} not null,
  primary key (app_id, kind, to_id)
);
${external(`telemetry_digests_${day}`, 'filters')}
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
    'telemetry_digests',
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
