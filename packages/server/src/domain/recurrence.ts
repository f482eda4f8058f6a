import { type MaintenanceFrequency, type Weekday, weekdays } from '@watchpost/contract'
import { dayMs, instantOf, localTime } from './time-zone.ts'

/** On which days a window comes again. */
export interface Rule {
  frequency: MaintenanceFrequency
  interval: number
  /** Of weekly. */
  weekdays: Weekday[] | null
  /** Of monthly; a shorter month has its last day instead. */
  day_of_month: number | null
  /** Epoch ms; none starts later. */
  until: number | null
}

/** When a window is, by its settings. Times in epoch ms. */
export interface Timing {
  starts_at: number
  ends_at: number
  time_zone: string
  recurrence: Rule | null
}

export interface Occurrence {
  starts_at: number
  ends_at: number
}

/** More days than lie between two occurrences of any rule: 52 months. */
const longestGapDays = 53 * 31

/** The first that starts after a moment. */
export function nextOccurrence(timing: Timing, after: number): Occurrence | null {
  const { starts_at, ends_at, time_zone, recurrence } = timing
  if (recurrence === null) return starts_at > after ? { starts_at, ends_at } : null
  const first = localTime(starts_at, time_zone).day
  // A day earlier: what clocks skip around midnight is moved to the next day.
  const from = after < starts_at ? first : Math.max(first, localTime(after, time_zone).day - 1)
  for (let day = from; day <= from + longestGapDays; day++) {
    if (!isOn(recurrence, first, day)) continue
    const start = startOn(timing, first, day)
    if (recurrence.until !== null && start > recurrence.until) return null
    if (start > after) return { starts_at: start, ends_at: start + ends_at - starts_at }
  }
  return null
}

/** The one that runs at a moment; its end is outside of it. */
export function occurrenceAt(timing: Timing, at: number): Occurrence | null {
  const { starts_at, ends_at, time_zone, recurrence } = timing
  if (at < starts_at) return null
  if (recurrence === null) return at < ends_at ? { starts_at, ends_at } : null
  const length = ends_at - starts_at
  const first = localTime(starts_at, time_zone).day
  const last = localTime(at, time_zone).day
  const earliest = Math.max(first, last - Math.ceil(length / dayMs) - 1)
  for (let day = last; day >= earliest; day--) {
    if (!isOn(recurrence, first, day)) continue
    const start = startOn(timing, first, day)
    if (start > at || (recurrence.until !== null && start > recurrence.until)) continue
    return at < start + length ? { starts_at: start, ends_at: start + length } : null
  }
  return null
}

/** Days between two occurrences where they are nearest to each other. */
export function shortestGapDays({ frequency, interval, weekdays: names }: Rule): number {
  if (frequency === 'daily') return interval
  if (frequency === 'monthly') return interval * 28
  const days = (names ?? []).map(name => weekdays.indexOf(name)).sort((a, b) => a - b)
  const gaps = days.map((day, index) => (days[index + 1] ?? (days[0] as number) + 7 * interval) - day)
  return Math.min(7 * interval, ...gaps)
}

export const weekdayOf = (day: number): Weekday => weekdays[sinceMonday(day)] as Weekday

export const dayOfMonth = (day: number): number => new Date(day * dayMs).getUTCDate()

function isOn(rule: Rule, first: number, day: number): boolean {
  const every = (count: number) => count % rule.interval === 0
  if (rule.frequency === 'daily') return every(day - first)
  if (rule.frequency === 'weekly') {
    return rule.weekdays?.includes(weekdayOf(day)) === true && every(week(day) - week(first))
  }
  return every(month(day) - month(first)) && dayOfMonth(day) === Math.min(rule.day_of_month ?? 1, lastOfMonth(day))
}

/** The first starts when it was said to, which in autumn may be the second time that clocks show it. */
function startOn({ starts_at, time_zone }: Timing, first: number, day: number): number {
  return day === first ? starts_at : instantOf({ day, ms: localTime(starts_at, time_zone).ms }, time_zone)
}

// 1 January 1970 was a Thursday.
const sinceMonday = (day: number): number => (((day + 3) % 7) + 7) % 7
const week = (day: number): number => Math.floor((day + 3) / 7)

function month(day: number): number {
  const date = new Date(day * dayMs)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

function lastOfMonth(day: number): number {
  const date = new Date(day * dayMs)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
}
