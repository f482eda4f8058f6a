import type { Query } from '../db.ts'
import { dayText, ofDay } from './day.ts'
import { query } from './query.ts'

/** A block of checks of one monitor; the newest may still be with the monitor's state. */
export interface BlockRow {
  first_at: number
  data: Uint8Array
}

/** What is long or rare of a check, and the run id where it cannot be told from the rest. */
export interface EvidenceRow {
  checked_at: number
  nonce: number
  run_id: string | null
  error_kind: string | null
  error_message: string | null
  /** JSON object. */
  timings: string | null
  /** JSON object. */
  details: string | null
}

/** Statements on the tables of one UTC day. */
export interface CheckDay {
  insertBlock: Query
  insertEvidence: Query
  /** Newest block first. */
  blocks: Query<BlockRow>
  evidence: Query<EvidenceRow>
  evidenceByRun: Query<EvidenceRow>
}

/** Days as numbers that a person can read: 20261121. */
export function dayName(at: number): number {
  const date = new Date(at)
  return date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
}

/**
 * Makes the tables of a day. A day is a table, so that what is too old goes in one piece. Blocks are rows in the order
 * they were filled, side by side whosever they are: clustered by monitor each would dirty a page of its own.
 * The row of the day comes first: a replica that makes it at the same moment waits there.
 */
export const createDayText = (day: number): string => `
insert into check_days (day) values (${day}) on conflict do nothing;
create table if not exists checks_${dayText(day)} (
  monitor_id bigint not null,
  first_at bigint not null,
  data /*sqlite: blob*/ /*postgres: bytea*/ not null
);
create index if not exists checks_${day}_by_monitor on checks_${day} (monitor_id, first_at);
create table if not exists check_evidence_${day} (
  monitor_id bigint not null,
  checked_at bigint not null,
  nonce integer not null,
  run_id text,
  error_kind text,
  error_message text,
  timings text,
  details text
);
create index if not exists check_evidence_${day}_by_time on check_evidence_${day} (monitor_id, checked_at);
create index if not exists check_evidence_${day}_by_run on check_evidence_${day} (monitor_id, run_id)
  where run_id is not null;
`

export const dropDayText = (day: number): string => `
delete from check_days where day = ${day};
drop table if exists checks_${dayText(day)};
drop table if exists check_evidence_${day};
`

/** Days that have tables, newest first. */
export const checkDays = query<{ day: number }>('check.days', 'select day from check_days order by day desc')

/** The statements of a day that has tables. */
export const checkDay = ofDay(statementsOf)

function statementsOf(day: number): CheckDay {
  const evidence = `select checked_at, nonce, run_id, error_kind, error_message, timings, details from check_evidence_${day}
    where monitor_id = @monitor_id`
  return {
    insertBlock: query(
      `check.insertBlock ${day}`,
      `insert into checks_${day} (monitor_id, first_at, data) values (@monitor_id, @first_at, @data)`,
    ),
    insertEvidence: query(
      `check.insertEvidence ${day}`,
      `insert into check_evidence_${day} (monitor_id, checked_at, nonce, run_id, error_kind, error_message, timings,
         details)
       values (@monitor_id, @checked_at, @nonce, @run_id, @error_kind, @error_message, @timings, @details)`,
    ),
    blocks: query(
      `check.blocks ${day}`,
      `select first_at, data from checks_${day} where monitor_id = @monitor_id and first_at <= @to
       order by first_at desc`,
    ),
    evidence: query(`check.evidence ${day}`, `${evidence} and checked_at >= @from and checked_at <= @to`),
    evidenceByRun: query(`check.evidenceByRun ${day}`, `${evidence} and run_id = @run_id`),
  }
}
