import type { MaintenanceWindow } from '@watchpost/contract'
import type { MaintenanceLinkRow, MaintenanceWindowRow, Value } from '@watchpost/store'
import type { Context } from '../context.ts'
import { type MaintenanceSettings, standingAt, statusOf } from '../domain/maintenance.ts'
import { iso, isoOrNull } from './time.ts'

/** A window with the monitors that it is about. */
export type KeptWindow = MaintenanceSettings &
  Pick<MaintenanceWindowRow, 'team_id' | 'id' | 'version' | 'created_at' | 'updated_at' | 'managed_by'>

/**
 * Whether planned work covers a monitor at a moment: then a check is counted apart, and nobody is told of what it found.
 * Asked for every result, so it costs no query.
 */
export function plannedAt(context: Context, team_id: number, monitor_id: number, at: number): boolean {
  return context.windows.covers(team_id, monitor_id, at)
}

/** Windows from their rows. */
export function keptWindows(rows: MaintenanceWindowRow[], links: MaintenanceLinkRow[]): KeptWindow[] {
  const monitors = Map.groupBy(links, ({ window_id }) => window_id)
  return rows.map(row => ({
    ...row,
    all_monitors: row.all_monitors === 1,
    recurrence: row.recurrence === null ? null : JSON.parse(row.recurrence),
    monitor_ids: (monitors.get(row.id) ?? []).map(({ monitor_id }) => monitor_id),
  }))
}

/** What is written of a window, but for its monitors. */
export function windowColumns(settings: MaintenanceSettings): Record<string, Value> {
  const { title, description, starts_at, ends_at, time_zone } = settings
  return {
    title,
    description,
    all_monitors: Number(settings.all_monitors),
    starts_at,
    ends_at,
    time_zone,
    recurrence: settings.recurrence === null ? null : JSON.stringify(settings.recurrence),
  }
}

/** A window as it is read. */
export function windowView(window: KeptWindow, now: number): MaintenanceWindow {
  const standing = standingAt(window, now)
  const { current, next } = standing
  return {
    id: window.id,
    title: window.title,
    description: window.description,
    monitor_ids: window.monitor_ids,
    all_monitors: window.all_monitors,
    starts_at: iso(window.starts_at),
    ends_at: iso(window.ends_at),
    time_zone: window.time_zone,
    recurrence: window.recurrence && { ...window.recurrence, until: isoOrNull(window.recurrence.until) },
    status: statusOf(standing),
    next_start_at: isoOrNull(next?.starts_at ?? null),
    next_end_at: isoOrNull(current?.ends_at ?? next?.ends_at ?? null),
    managed_by: window.managed_by,
    created_at: iso(window.created_at),
    updated_at: iso(window.updated_at),
  }
}
