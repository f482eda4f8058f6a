import { type MonitorStatus, type MonitorUptime, type UptimeStretch, uptimeStretches } from '@watchpost/contract'
import { type PublicMonitorRow, publicMonitor, type SeenRow } from '@watchpost/store'
import type { Context } from '../context.ts'
import { currentStatus } from '../domain/overall.ts'
import { bucketOf, bucketStart, type Resolution, spansOf } from '../domain/rollup.ts'
import { isSilent } from '../domain/silence.ts'
import { coverage, looksOf, uptime } from '../domain/uptime.ts'
import { settleForReading } from '../settle-for-reading.ts'
import { plannedAt } from './maintenance-windows.ts'
import { readSeen } from './rollups.ts'
import { iso } from './time.ts'

/** A week of hours is 168 rows; beyond that days are exact enough. The open hour or day is one of them. */
const stretches: Record<UptimeStretch, { resolution: Resolution; buckets: number }> = {
  '24h': { resolution: '1h', buckets: 24 },
  '7d': { resolution: '1h', buckets: 168 },
  '30d': { resolution: '1d', buckets: 30 },
  '90d': { resolution: '1d', buckets: 90 },
}

/** What the public may know of one monitor; undefined where no public page shows it. */
export async function readUptime(context: Context, id: number): Promise<MonitorUptime | undefined> {
  await settleForReading(context.results)
  const monitor = await context.db.one(publicMonitor, { id })
  if (monitor === undefined) return undefined
  const now = context.now()
  const seen = await Promise.all(uptimeStretches.map(name => seenDuring(context, monitor, stretches[name], now)))
  const byStretch = <T>(pick: (index: number) => T) =>
    Object.fromEntries(uptimeStretches.map((name, index) => [name, pick(index)])) as Record<UptimeStretch, T>
  return {
    monitor_id: monitor.id,
    name: monitor.display_name ?? monitor.name,
    current_status: currentStatus(
      monitor.status as MonitorStatus,
      plannedAt(context, monitor.team_id, monitor.id, now),
      isSilent(monitor, now),
    ),
    uptime: byStretch(index => seen[index]?.uptime ?? null),
    coverage: byStretch(index => seen[index]?.coverage ?? null),
    updated_at: iso(now),
  }
}

async function seenDuring(
  { db }: Context,
  monitor: PublicMonitorRow,
  { resolution, buckets }: { resolution: Resolution; buckets: number },
  now: number,
) {
  const from = bucketStart(bucketOf(now, resolution) - buckets + 1, resolution)
  const parts = await Promise.all(
    spansOf(resolution, from, now + 1, monitor.rolled_to).map(span => readSeen(db, monitor.id, span)),
  )
  const sum = (field: keyof SeenRow) => parts.reduce((total, part) => total + part[field], 0)
  const [up, down] = [sum('up'), sum('down')]
  return {
    uptime: uptime(up, down),
    coverage: coverage(up + down + sum('maintenance'), from, looksOf(monitor, monitor.regions), now),
  }
}
