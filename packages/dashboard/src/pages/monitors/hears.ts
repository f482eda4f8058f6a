import type { Channel } from '@watchpost/contract'

/** Whether a channel is told when this monitor goes offline, as the server decides it for what happens. */
export function hears({ enabled, disabled_at, events, monitor_ids }: Channel, monitorId: number): boolean {
  if (!enabled || disabled_at !== null) return false
  if (monitor_ids.length > 0 && !monitor_ids.includes(monitorId)) return false
  // The incident that it opens says it, too.
  const words = ['monitor.status_changed', 'alert.triggered', 'incident.created'] as const
  return events.length === 0 || words.some(word => events.includes(word))
}
