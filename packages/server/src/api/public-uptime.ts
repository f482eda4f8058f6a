import { type MonitorStatus, type MonitorUptime, type UptimeStretch, uptimeStretches } from '@watchpost/contract'
import { type PublicMonitorRow, publicMonitor, seenSince } from '@watchpost/store'
import type { Context } from '../context.ts'
import { currentStatus } from '../domain/overall.ts'
import { coverage, dayMs, uptime } from '../domain/uptime.ts'
import { plannedAt } from './maintenance-windows.ts'
import { iso } from './time.ts'

const days: Record<UptimeStretch, number> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 }

/** What the public may know of one monitor; undefined where no public page shows it. */
export async function readUptime(context: Context, id: number): Promise<MonitorUptime | undefined> {
  const monitor = await context.db.one(publicMonitor, { id })
  if (monitor === undefined) return undefined
  const now = context.now()
  const seen = await Promise.all(uptimeStretches.map(name => seenIn(context, monitor, days[name], now)))
  const byStretch = <T>(pick: (index: number) => T) =>
    Object.fromEntries(uptimeStretches.map((name, index) => [name, pick(index)])) as Record<UptimeStretch, T>
  return {
    monitor_id: monitor.id,
    name: monitor.display_name ?? monitor.name,
    current_status: currentStatus(
      monitor.status as MonitorStatus,
      plannedAt(context, monitor.team_id, monitor.id, now),
    ),
    uptime: byStretch(index => seen[index]?.uptime ?? null),
    coverage: byStretch(index => seen[index]?.coverage ?? null),
    updated_at: iso(now),
  }
}

async function seenIn(context: Context, monitor: PublicMonitorRow, length: number, now: number) {
  // A week of hours is 168 rows; beyond that days are exact enough.
  const resolution_s = length <= 7 ? 3600 : 86_400
  const from = now - length * dayMs
  const params = { team_id: monitor.team_id, monitor_id: monitor.id, resolution_s, from }
  const { up = 0, down = 0 } = (await context.db.one(seenSince, params)) ?? {}
  return { uptime: uptime(up, down), coverage: coverage(up + down, from, monitor, now) }
}
