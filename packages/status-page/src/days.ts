import type { ShownPage } from './shown-page.ts'

type Point = ShownPage['uptime_history'][number]

/** How a day went. `blank` is a day nobody watched, which is neither good nor bad. */
export type Level = 'up' | 'dip' | 'fall' | 'blank'

/** One bar: `uptime` is a percentage, and undefined for a blank day. */
export type Day = { date: string; level: Level; uptime: number | undefined }

/** Consecutive days worth telling: each troubled day by itself, blank days as one stretch. */
export type Stretch = { from: string; to: string; level: Level; uptime: number | undefined }

const isoDay = /^\d{4}-\d{2}-\d{2}$/
const dipFrom = 95
const longestHistory = 365

/** The days of the page, oldest first: every day that it or one of its monitors has, so that all bars line up. */
export function axisOf(payload: ShownPage): string[] {
  const dates = new Set<string>()
  for (const { uptime_history } of [payload, ...payload.monitors]) {
    for (const { date } of uptime_history) if (isDay(date)) dates.add(date)
  }
  return [...dates].sort().slice(-longestHistory)
}

/** One day for each date of the axis; a date without a point is blank. */
export function daysOn(axis: string[], history: Point[]): Day[] {
  const points = new Map(history.map(point => [point.date, point]))
  return axis.map(date => {
    const uptime = measured(points.get(date))
    return { date, uptime, level: levelOf(uptime) }
  })
}

/** The mean of the days that were watched; undefined when none was. */
export function meanUptime(days: Day[]): number | undefined {
  const watched = days.flatMap(day => day.uptime ?? [])
  return watched.length === 0 ? undefined : watched.reduce((sum, uptime) => sum + uptime, 0) / watched.length
}

/** What is not plain 100%, newest first. */
export function stretches(days: Day[]): Stretch[] {
  const found: Stretch[] = []
  let previous: Level | undefined
  for (const { date, level, uptime } of days) {
    const last = found.at(-1)
    if (level === 'blank' && previous === 'blank' && last) last.to = date
    else if (level !== 'up') found.push({ from: date, to: date, level, uptime })
    previous = level
  }
  return found.reverse()
}

const isDay = (date: string): boolean => isoDay.test(date) && !Number.isNaN(Date.parse(date))

function measured(point: Point | undefined): number | undefined {
  if (!point?.hasData || typeof point.uptime !== 'number' || Number.isNaN(point.uptime)) return undefined
  return Math.min(100, Math.max(0, point.uptime))
}

function levelOf(uptime: number | undefined): Level {
  if (uptime === undefined) return 'blank'
  if (uptime === 100) return 'up'
  return uptime >= dipFrom ? 'dip' : 'fall'
}
