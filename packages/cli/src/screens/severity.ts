import type { Monitor } from '@watchpost/contract'

const order = ['offline', 'pending', 'online', 'paused']
const byName = new Intl.Collator('en', { numeric: true })

/** What is bad comes first, then by name. */
export function severityOrder(monitors: Monitor[]): Monitor[] {
  const rank = (monitor: Monitor) => order.indexOf(String(monitor.status))
  return monitors.toSorted((a, b) => rank(a) - rank(b) || byName.compare(a.name, b.name) || a.id - b.id)
}

/** `12 monitors, 2 offline`. */
export function summaryOf(monitors: Monitor[]): string {
  const offline = monitors.filter(monitor => String(monitor.status) === 'offline').length
  const count = `${monitors.length} monitor${monitors.length === 1 ? '' : 's'}`
  return offline === 0 ? count : `${count}, ${offline} offline`
}
