import { type CheckRecord, monitorRoutes, type OutcomeStatus, outcomeStatuses } from '@watchpost/contract'
import { type CheckRow, checkColumns, checksBetween, checksFrom, type Db, type MonitorView } from '@watchpost/store'
import type { Range, RawCheck } from '../domain/metrics.ts'
import type { Ask } from '../http/handler.ts'
import { listRows } from '../http/list.ts'
import { iso } from './time.ts'

/** How a check's status is stored: a byte, not a word, for every check of every monitor. */
export const storedStatus = { offline: 0, online: 1, error: 2 } as const

export async function listChecksOf(
  { query, context }: Ask<typeof monitorRoutes.listMonitorChecks>,
  monitor: MonitorView,
) {
  const { rows, total } = await listRows<CheckRow>(context.db, query, {
    route: monitorRoutes.listMonitorChecks,
    name: 'check.list',
    columns: checkColumns,
    from: checksFrom,
    where: 'c.team_id = @team_id and c.monitor_id = @monitor_id_of_path',
    params: { team_id: monitor.team_id, monitor_id_of_path: monitor.id },
    fields: {},
    values: { status: word => storedStatus[word as keyof typeof storedStatus] },
    order: '-checked_at',
    tie: 'run_id',
    countFrom: 'checks c',
  })
  return { rows: rows.map(checkRecord), total }
}

/** Single checks of a monitor between two moments, oldest first, as much of them as metrics need. */
export async function readChecks(
  db: Db,
  { team_id, id }: MonitorView,
  { from, to }: Range,
  limit: number,
): Promise<RawCheck[]> {
  const rows = await db.all(checksBetween, { team_id, monitor_id: id, from, to, limit })
  return rows.map(row => ({ ...row, status: statusOf(row.status) }))
}

function statusOf(stored: number): OutcomeStatus {
  return outcomeStatuses.find(word => storedStatus[word] === stored) ?? 'error'
}

function checkRecord(row: CheckRow): CheckRecord {
  return {
    run_id: row.run_id,
    monitor_id: row.monitor_id,
    status: statusOf(row.status),
    response_time_ms: row.response_time_ms,
    checked_at: iso(row.checked_at),
    region: row.region,
    probe: row.probe,
    error_kind: row.error_kind as CheckRecord['error_kind'],
    error_message: row.error_message,
    timings: row.timings === null ? null : JSON.parse(row.timings),
    trace_id: null,
  }
}
