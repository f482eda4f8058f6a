import { type Attempt, type CheckRecord, monitorRoutes, runId } from '@watchpost/contract'
import { traceIdOf } from '@watchpost/contract/trace-id'
import { type EvidenceRow, type MonitorView, probesByIds } from '@watchpost/store'
import type { Context } from '../context.ts'
import type { KeptCheck } from '../domain/check-block.ts'
import { inOrder } from '../domain/order.ts'
import type { Ask } from '../http/handler.ts'
import { readOrder } from '../http/list.ts'
import { refuse } from '../http/validate.ts'
import { evidenceKey, readChecks, readEvidence } from '../results/history.ts'
import { oldestResultMs } from '../results/read-result.ts'
import { iso } from './time.ts'

/** Fields that only the evidence knows, or a run id of any text. */
const ofEvidence = ['error_kind', 'error_message', 'run_id']

/** A page of a monitor's checks: what has lasted seven days is decoded, then filtered, sorted and counted here. */
export async function listChecksOf(
  { query, context }: Ask<typeof monitorRoutes.listMonitorChecks>,
  monitor: MonitorView,
): Promise<{ rows: CheckRecord[]; total: number }> {
  const { page = 1, per_page = 20, sort, from, to, ...filters } = query
  const order = readOrder(monitorRoutes.listMonitorChecks, sort ?? '-checked_at')
  const now = context.now()
  const start = Math.max(timeOr(from, 0), now - oldestResultMs)
  const end = Math.min(timeOr(to, now), now)
  if (from !== undefined && to !== undefined && timeOr(from, 0) > timeOr(to, 0))
    refuse({ from: 'must not be after to' })
  const { db, results } = context
  const checks = start > end ? [] : await readChecks(db, results.tables, monitor, start, end)
  const probes = await probesOf(context, monitor.team_id, checks)

  const asked = [...Object.keys(filters), ...order.map(each => each.field)]
  const evidence = asked.some(field => ofEvidence.includes(field))
    ? await evidenceOf(context, monitor.id, checks)
    : none
  const records = checks.map(check => ({ check, shown: shownBy(monitor.id, check, probes) }))
  const value = ({ check, shown }: (typeof records)[number], field: string) =>
    ofEvidence.includes(field) ? withEvidence(check, shown, evidence)[field as 'run_id'] : shown[field as 'probe']
  const wanted = Object.entries(filters).map(([field, given]) => [
    field,
    field === 'checked_at' ? iso(timeOr(given, 0)) : given,
  ])
  const matching = records.filter(each => wanted.every(([field, given]) => value(each, field as string) === given))
  matching.sort(inOrder(order, value, (a, b) => a.check.nonce - b.check.nonce))

  const rows = matching.slice((page - 1) * per_page, page * per_page)
  const found =
    evidence === none
      ? await evidenceOf(
          context,
          monitor.id,
          rows.map(each => each.check),
        )
      : evidence
  return {
    rows: rows.map(({ check, shown }) => withTrace(monitor, withEvidence(check, shown, found))),
    total: matching.length,
  }
}

/** Checks with all that is kept of them. */
export async function attempts(
  context: Context,
  { team_id, id }: MonitorView,
  checks: readonly KeptCheck[],
): Promise<Attempt[]> {
  const [probes, evidence] = await Promise.all([probesOf(context, team_id, checks), evidenceOf(context, id, checks)])
  return checks.map(check => {
    const details = check.evidence ? evidence.get(evidenceKey(check))?.details : undefined
    return {
      ...withEvidence(check, shownBy(id, check, probes), evidence),
      details: details ? JSON.parse(details) : null,
    }
  })
}

const none: ReadonlyMap<string, EvidenceRow> = new Map()

function timeOr(given: string | number | boolean | undefined, otherwise: number): number {
  return given === undefined ? otherwise : Date.parse(String(given))
}

type Looked = Map<number, { name: string; region: string }>

async function probesOf({ db }: Context, team_id: number, checks: readonly KeptCheck[]): Promise<Looked> {
  const ids = [...new Set(checks.map(each => each.probe_id))]
  const rows = ids.length === 0 ? [] : await db.all(probesByIds, { ids, team_id })
  return new Map(rows.map(({ id, name, region }) => [id, { name, region }]))
}

async function evidenceOf({ db, results }: Context, monitor_id: number, checks: readonly KeptCheck[]) {
  const times = checks.filter(each => each.evidence).map(each => each.checked_at)
  if (times.length === 0) return none
  const first = times.reduce((a, b) => Math.min(a, b))
  const last = times.reduce((a, b) => Math.max(a, b))
  return readEvidence(db, results.tables, monitor_id, first, last)
}

function shownBy(monitor_id: number, check: KeptCheck, probes: Looked): CheckRecord {
  const probe = probes.get(check.probe_id)
  return {
    run_id: '',
    monitor_id,
    status: check.status,
    response_time_ms: check.response_us === null ? null : check.response_us / 1000,
    checked_at: iso(check.checked_at),
    region: probe?.region ?? null,
    probe: probe?.name ?? null,
    error_kind: null,
    error_message: null,
    timings: check.timings ?? null,
    trace_id: null,
  }
}

function withEvidence(check: KeptCheck, shown: CheckRecord, evidence: ReadonlyMap<string, EvidenceRow>): CheckRecord {
  const row = check.evidence ? evidence.get(evidenceKey(check)) : undefined
  const { due_at, nonce } = check
  return {
    ...shown,
    run_id: row?.run_id ?? runId({ monitor_id: shown.monitor_id, due_at, nonce }),
    error_kind: (row?.error_kind ?? null) as CheckRecord['error_kind'],
    error_message: row?.error_message ?? null,
    timings: row?.timings ? JSON.parse(row.timings) : shown.timings,
  }
}

/** The trace of a check that has one: kept nowhere, its run's id says it. */
function withTrace({ type }: MonitorView, record: CheckRecord): CheckRecord {
  return type === 'http' || type === 'https' ? { ...record, trace_id: traceIdOf(record.run_id) } : record
}
