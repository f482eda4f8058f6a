import type { Monitor } from '@watchpost/contract'
import { type Seen, seenOf } from '../screens/sparkline.ts'

/** A monitor, and how it went of late. */
export interface Row {
  monitor: Monitor
  times: Seen[]
}

export const orders = ['status', 'name', 'response', 'uptime', 'next'] as const
export type Order = (typeof orders)[number]

/** What `monitor.checked` tells. */
export interface Checked {
  monitor_id: number
  status: string
  response_time_ms: number | null
  last_check_at: string | null
}

const kept = 40
const ranks = ['offline', 'pending', 'online', 'paused']
const byName = new Intl.Collator('en', { numeric: true })

/** What is known of all monitors, kept up to date by events. */
export class Board {
  readonly #rows = new Map<number, Row>()
  /** Counts changes: a screen that has seen this one need not be drawn again. */
  version = 0

  constructor(monitors: Monitor[]) {
    this.replace(monitors)
  }

  get rows(): Row[] {
    return [...this.#rows.values()]
  }

  row(id: number): Row | undefined {
    return this.#rows.get(id)
  }

  /** All monitors, read anew: those that are gone go. */
  replace(monitors: Monitor[]): void {
    const ids = new Set(monitors.map(({ id }) => id))
    for (const id of this.#rows.keys()) if (!ids.has(id)) this.#rows.delete(id)
    for (const monitor of monitors) this.put(monitor)
  }

  put(monitor: Monitor): void {
    const times = this.#rows.get(monitor.id)?.times ?? timesOf(monitor)
    this.#rows.set(monitor.id, { monitor, times })
    this.version++
  }

  /** Times of before, oldest first, under those seen since. */
  seed(id: number, times: Seen[]): void {
    const row = this.#rows.get(id)
    if (row === undefined) return
    row.times = times.slice(-kept)
    this.version++
  }

  /** @returns false for a monitor that is not known yet */
  checked(told: Checked): boolean {
    const { monitor_id, status, response_time_ms, last_check_at } = told
    const row = this.#rows.get(monitor_id)
    if (row === undefined) return false
    row.times = [...row.times, seenOf(told)].slice(-kept)
    row.monitor = {
      ...row.monitor,
      status: status as Monitor['status'],
      watched: true,
      response_time_ms,
      last_check_at,
    }
    this.version++
    return true
  }
}

function timesOf(monitor: Monitor): Seen[] {
  return monitor.last_check_at === null ? [] : [seenOf(monitor)]
}

/** Rows that hold the text somewhere, in this order; pure. */
export function arrange(rows: Row[], order: Order, reversed: boolean, filter: string): Row[] {
  const words = filter.toLowerCase().split(/\s+/)
  const shown = rows.filter(({ monitor }) => {
    const text = `${monitor.name} ${monitor.target} ${monitor.type} ${monitor.status}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
  const sorted = shown.sort((a, b) => {
    const first = compare(a.monitor, b.monitor, order)
    return (reversed ? -first : first) || byName.compare(a.monitor.name, b.monitor.name) || a.monitor.id - b.monitor.id
  })
  return sorted
}

function compare(a: Monitor, b: Monitor, order: Order): number {
  switch (order) {
    case 'status':
      return ranks.indexOf(String(a.status)) - ranks.indexOf(String(b.status))
    case 'name':
      return byName.compare(a.name, b.name)
    // The slowest and the least reliable are what one looks for.
    case 'response':
      return (b.response_time_ms ?? -1) - (a.response_time_ms ?? -1)
    case 'uptime':
      return (a.uptime_24h ?? 101) - (b.uptime_24h ?? 101)
    case 'next':
      return (nextCheck(a) ?? Number.POSITIVE_INFINITY) - (nextCheck(b) ?? Number.POSITIVE_INFINITY) || 0
  }
}

/** When it is due, in epoch ms, as far as one can tell from here; undefined while it is paused. */
export function nextCheck({ status, last_check_at, interval }: Monitor): number | undefined {
  if (String(status) === 'paused') return undefined
  return last_check_at === null ? 0 : Date.parse(last_check_at) + interval * 1000
}
