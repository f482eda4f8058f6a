import type { Monitor } from '@watchpost/contract'
import { type State, stateOf } from '../../core/watched.ts'

export type Order = 'status' | 'name' | 'response' | 'uptime' | 'checked'

/** What is asked of the list. */
export interface Choice {
  text: string
  status: string
  type: string
  order: Order
}

const urgency: Record<State, number> = { offline: 0, unwatched: 1, pending: 2, online: 3, paused: 4 }

/** Those that are asked for, in the order that is asked for: what is down comes first. */
export function choose(all: Monitor[], { text, status, type, order }: Choice): Monitor[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = all.filter(monitor => {
    if (status !== '' && stateOf(monitor) !== status) return false
    if (type !== '' && monitor.type !== type) return false
    if (words.length === 0) return true
    const said = `${monitor.name} ${monitor.target}`.toLowerCase()
    return words.every(word => said.includes(word))
  })
  return found.sort(comparing[order])
}

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
const name = (a: Monitor, b: Monitor) => byName.compare(a.name, b.name) || a.id - b.id

const comparing: Record<Order, (a: Monitor, b: Monitor) => number> = {
  status: (a, b) => urgency[stateOf(a)] - urgency[stateOf(b)] || name(a, b),
  name,
  response: (a, b) => (b.response_time_ms ?? -1) - (a.response_time_ms ?? -1) || name(a, b),
  uptime: (a, b) => (a.uptime_24h ?? 101) - (b.uptime_24h ?? 101) || name(a, b),
  checked: (a, b) => (b.last_check_at ?? '').localeCompare(a.last_check_at ?? '') || name(a, b),
}

/** How many are in each state. */
export function tally(all: Monitor[]): Record<State, number> {
  const counts = { online: 0, offline: 0, unwatched: 0, pending: 0, paused: 0 }
  for (const monitor of all) counts[stateOf(monitor)]++
  return counts
}
