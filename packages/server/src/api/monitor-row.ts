import { ApiError, type Monitor } from '@watchpost/contract'
import { type MonitorView, monitorById } from '@watchpost/store'
import type { Context } from '../context.ts'
import { type MonitorSettings, withoutSecrets } from '../domain/monitor-settings.ts'
import { bucketOf } from '../domain/rollup.ts'
import { isWatched } from '../domain/silence.ts'
import { openTarget } from '../domain/target-credentials.ts'
import type { UserCaller } from '../http/handler.ts'
import { plannedAt } from './maintenance-windows.ts'
import { iso, isoOrNull } from './time.ts'

/** The first whole hour of the last 24. */
export const dayAgo = (context: Context) => bucketOf(context.now(), '1h') - 23

export function monitorRow(context: Context, team_id: number, id: number): Promise<MonitorView | undefined> {
  return context.db.one(monitorById, { team_id, id, hour_from: dayAgo(context) })
}

export async function readMonitor(context: Context, team_id: number, id: number): Promise<Monitor> {
  const row = await monitorRow(context, team_id, id)
  if (row === undefined) throw new ApiError('not_found', 'Not found')
  return monitorView(context, row)
}

export function monitorColumns(settings: MonitorSettings) {
  return {
    name: settings.name,
    target: settings.target,
    type: settings.type,
    interval_s: settings.interval,
    timeout_s: settings.timeout,
    method: settings.method,
    ssl_verify: Number(settings.ssl_verify),
    enabled: Number(settings.enabled),
    is_active: Number(settings.is_active),
    options: JSON.stringify(settings.options),
  }
}

export function withoutType({ type: _, ...columns }: ReturnType<typeof monitorColumns>) {
  return columns
}

export function settingsOf(row: MonitorView): MonitorSettings {
  return {
    name: row.name,
    target: row.target,
    type: row.type as MonitorSettings['type'],
    interval: row.interval_s,
    timeout: row.timeout_s,
    method: row.method as MonitorSettings['method'],
    ssl_verify: row.ssl_verify === 1,
    enabled: row.enabled === 1,
    is_active: row.is_active === 1,
    options: JSON.parse(row.options),
  }
}

/** @param reader who is shown it; a viewer never sees a secret (ruling 16) */
export function monitorView(context: Context, row: MonitorView, reader?: UserCaller): Monitor {
  const settings = settingsOf(row)
  const isViewer = reader?.role === 'viewer'
  const options = isViewer ? withoutSecrets(settings.options) : settings.options
  const target = isViewer ? openTarget(settings.type, settings.target) : settings.target
  return {
    id: row.id,
    ...settings,
    target,
    ...(row.probe_id === null ? {} : { probe_id: row.probe_id }),
    options,
    status: row.status as Monitor['status'],
    in_maintenance: plannedAt(context, row.team_id, row.id, context.now()),
    watched: isWatched(row, context.now()),
    last_check_at: isoOrNull(row.last_check_at),
    response_time_ms: row.response_time_ms,
    uptime_24h: row.uptime_24h === null ? null : Math.round(row.uptime_24h * 1000) / 1000,
    managed_by: row.managed_by,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}
