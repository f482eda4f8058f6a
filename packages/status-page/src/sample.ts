import type { ShownPage } from './shown-page.ts'
import { type View, viewOf } from './view.ts'

type Monitor = ShownPage['monitors'][number]
type Point = ShownPage['uptime_history'][number]

// For the tests of this package: a page where all is well, of which each test changes what it is about.

export const now = new Date('2026-11-21T09:30:00.000Z')

/** One point per day up to the day of `now`: a number is an uptime, null a day nobody watched. */
export function history(uptimes: (number | null)[]): Point[] {
  return uptimes.map((uptime, i) => ({
    date: new Date(now.getTime() - (uptimes.length - 1 - i) * 86_400_000).toISOString().slice(0, 10),
    uptime,
    hasData: uptime !== null,
  }))
}

export const perfect = (days: number): Point[] => history(Array(days).fill(100))

export function monitor(change: Partial<Monitor> = {}): Monitor {
  return {
    id: 1,
    name: 'Website',
    display_name: null,
    group_name: 'General',
    current_status: 'operational',
    in_maintenance: false,
    response_time_ms: 182.4,
    last_check: '2026-11-21T09:29:41.000Z',
    show_uptime: true,
    show_response_time: true,
    uptime_history: perfect(3),
    ...change,
  }
}

export function incident(change: Partial<ShownPage['incidents'][number]> = {}): ShownPage['incidents'][number] {
  return {
    id: 5,
    monitor_name: 'Website',
    title: 'Slow answers',
    status: 'resolved',
    severity: 'minor',
    started_at: '2026-11-19T22:05:00.000Z',
    resolved_at: '2026-11-19T22:50:00.000Z',
    created_at: '2026-11-19T22:06:00.000Z',
    monitor_ids: [1],
    updates: [],
    ...change,
  }
}

export function maintenance(change: Partial<ShownPage['maintenance'][number]> = {}): ShownPage['maintenance'][number] {
  return {
    id: 3,
    title: 'Database upgrade',
    description: null,
    status: 'active',
    starts_at: '2026-11-21T09:00:00.000Z',
    ends_at: '2026-11-21T11:00:00.000Z',
    monitor_ids: [1],
    ...change,
  }
}

export function payload(change: Partial<ShownPage> = {}): ShownPage {
  return {
    id: 1,
    created_at: '2026-01-02T03:04:05.000Z',
    logo: null,
    slug: 'acme',
    title: 'Acme status',
    description: null,
    is_public: true,
    language: 'en',
    show_history_days: 30,
    theme: { primary_color: '#4f46e5', layout: 'modern-light' },
    overall_status: 'operational',
    groups: [{ name: 'General', status: 'operational' }],
    monitors: [monitor()],
    incidents: [],
    maintenance: [],
    uptime_history: perfect(3),
    updated_at: now.toISOString(),
    ...change,
  }
}

export const view = (change: Partial<ShownPage> = {}): View => viewOf(payload(change), now)
