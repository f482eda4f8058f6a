import type { Explanation, MonitorStatus, monitorRoutes } from '@watchpost/contract'
import { type MonitorView, openAutomaticIncident, outageOfMonitor } from '@watchpost/store'
import { explain } from '../domain/explanation.ts'
import { verdictPolicy } from '../domain/monitor-settings.ts'
import type { Ask } from '../http/handler.ts'
import { listChecksOf } from './checks.ts'
import { plannedAt } from './maintenance-windows.ts'
import { isoOrNull } from './time.ts'

/** Why a monitor has the status it has. */
export async function explainMonitor(
  ask: Ask<typeof monitorRoutes.explainMonitor>,
  monitor: MonitorView,
): Promise<Explanation> {
  const { context } = ask
  const { team_id, id, failures, due_at } = monitor
  const key = { team_id, monitor_id: id }
  const latest = { ...ask, query: { per_page: 1 } } as Ask<typeof monitorRoutes.listMonitorChecks>
  const [checks, outage, incident] = await Promise.all([
    listChecksOf(latest, monitor),
    context.db.one(outageOfMonitor, key),
    context.db.one(openAutomaticIncident, key),
  ])
  const now = context.now()
  const { confirmations } = verdictPolicy(JSON.parse(monitor.options))
  const known = {
    status: monitor.status as MonitorStatus,
    failures,
    confirmations,
    in_maintenance: plannedAt(context, team_id, id, now),
    last_check: checks.rows[0] ?? null,
    // A check may take as long as its timeout, and a poll its while.
    heard: monitor.type === 'server',
    overdue: due_at !== null && now > due_at + monitor.timeout_s * 1000 + 30_000,
  }
  return {
    monitor_id: id,
    status: known.status,
    reasons: explain(known),
    failures,
    confirmations,
    offline_since: known.status === 'offline' ? isoOrNull(outage?.started_at ?? null) : null,
    incident_id: incident?.id ?? null,
    in_maintenance: known.in_maintenance,
    last_check: known.last_check,
    next_check_at: isoOrNull(due_at),
  }
}
