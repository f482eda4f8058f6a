import { silentAfterMs } from '@watchpost/contract'

interface Watched {
  last_check_at: number | null
  interval_s: number
  timeout_s: number
}

/** When a monitor falls silent, epoch ms, if nobody looks until then; null where nobody ever has. */
export function silentAt(row: Watched): number | null {
  return row.last_check_at === null ? null : row.last_check_at + silentAfterMs(row.interval_s, row.timeout_s)
}

/** Whether the status of a monitor says something of now. */
export function isWatched(row: Watched & { status: string }, now: number): boolean {
  return row.last_check_at !== null && row.status !== 'paused' && !isSilent(row, now)
}

/** Whether nobody has looked at a monitor lately. One that nobody has ever looked at is pending, and says so. */
export function isSilent(row: Watched, now: number): boolean {
  return now >= (silentAt(row) ?? Number.POSITIVE_INFINITY)
}
