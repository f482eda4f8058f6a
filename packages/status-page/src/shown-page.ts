import type { StatusPayload } from '@watchpost/contract'

/**
 * A page as people see it: the public payload, and what would make the payload ten times as large: the days of each
 * monitor, the timelines of incidents.
 */
export type ShownPage = Omit<StatusPayload, 'monitors' | 'incidents'> & {
  /** Of the page, unique on its instance. */
  id: number
  created_at: string
  monitors: ShownMonitor[]
  incidents: ShownIncident[]
  /** Address of the page's own logo; null where it has none. */
  logo: string | null
}

/** `uptime_history` is empty where `show_uptime` is false. */
export type ShownMonitor = StatusPayload['monitors'][number] & Pick<StatusPayload, 'uptime_history'>

export type ShownIncident = StatusPayload['incidents'][number] & {
  created_at: string
  /** Of the affected monitors, those that the page shows. */
  monitor_ids: number[]
  /** Oldest first. */
  updates: ShownUpdate[]
}

export type ShownUpdate = { id: number; message: string; status: string; created_at: string }
