import type { MonitorStatus } from '@watchpost/contract'

/** What receivers know of a monitor. */
export interface Told {
  status: MonitorStatus
  /** What they were told last, where that is no longer its status; null where they know it. */
  announced_status: MonitorStatus | null
}

export interface Announcement {
  /** What to tell them now, if anything. */
  change: { old_status: MonitorStatus; new_status: MonitorStatus } | null
  announced_status: MonitorStatus | null
}

/**
 * What receivers are told of a monitor, and what is kept for later. In maintenance nothing is told, except the end of an outage
 * that they know of; afterwards what is still different from what they know.
 * @param status what it is now
 * @param planned whether a maintenance window covers it
 */
export function announce(before: Told, status: MonitorStatus, planned: boolean): Announcement {
  const told = before.announced_status ?? before.status
  if (status === told) return { change: null, announced_status: null }
  const recovery = told === 'offline' && status === 'online'
  if (planned && !recovery) return { change: null, announced_status: told }
  return { change: { old_status: told, new_status: status }, announced_status: null }
}
