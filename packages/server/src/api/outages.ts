import type { MonitorStatus } from '@watchpost/contract'
import { beginOutage, type Db, endOutage, outageOfMonitor, type Step } from '@watchpost/store'
import { reminderIntervalMs } from '../domain/reminder.ts'

interface OfMonitor {
  team_id: number
  id: number
  /** JSON object. */
  options: string
}

/**
 * What a verdict does to the monitor's outage, as steps of the commit that brings the verdict, and since when it is or
 * was down. An outage outlives a pause: its end is told with its whole length.
 */
export async function outageSteps(
  db: Db,
  { team_id, id, options }: OfMonitor,
  new_status: MonitorStatus,
  result: { checked_at: number; sent: { error_message?: string | null | undefined } },
  now: number,
): Promise<{ steps: Step[]; since: number | null }> {
  const key = { team_id, monitor_id: id }
  const open = await db.one(outageOfMonitor, key)
  if (new_status === 'online') {
    return { steps: open === undefined ? [] : [{ query: endOutage, params: key }], since: open?.started_at ?? null }
  }
  const since = open?.started_at ?? result.checked_at
  const interval = reminderIntervalMs(JSON.parse(options))
  const params = {
    ...key,
    started_at: since,
    error_message: result.sent.error_message ?? null,
    now,
    remind_at: interval === null ? null : now + interval,
  }
  return { steps: [{ query: beginOutage, params }], since }
}
