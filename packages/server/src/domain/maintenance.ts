import {
  type FieldErrors,
  type MaintenanceStatus,
  type MaintenanceWindowPatch,
  type MaintenanceWindowWrite,
  maintenanceSeconds,
  type RecurrenceWrite,
} from '@watchpost/contract'
import {
  dayOfMonth,
  nextOccurrence,
  type Occurrence,
  occurrenceAt,
  type Rule,
  shortestGapDays,
  type Timing,
  weekdayOf,
} from './recurrence.ts'
import { dayMs, isTimeZone, localTime } from './time-zone.ts'

/** What people say of a window. Times in epoch ms. */
export interface MaintenanceSettings extends Timing {
  title: string
  description: string | null
  monitor_ids: number[]
  all_monitors: boolean
}

/** @param starts_at when it starts where the body does not say */
export function withDefaults(given: MaintenanceWindowWrite, starts_at: number): MaintenanceSettings {
  return applied(given, {
    title: given.title,
    description: null,
    monitor_ids: [],
    all_monitors: false,
    starts_at,
    // Nothing else is a default that one could guess: not given, it is refused as no time.
    ends_at: Number.NaN,
    time_zone: 'UTC',
    recurrence: null,
  })
}

/** What PATCH leads to. To name monitors is to say that it is not all of them any more, and the other way round. */
export function applied(given: MaintenanceWindowPatch, before: MaintenanceSettings): MaintenanceSettings {
  const starts_at = given.starts_at === undefined ? before.starts_at : Date.parse(given.starts_at)
  const time_zone = given.time_zone ?? before.time_zone
  const ids = given.monitor_ids ?? (given.all_monitors === true ? [] : before.monitor_ids)
  return {
    title: given.title ?? before.title,
    description: given.description === undefined ? before.description : given.description,
    monitor_ids: ids.toSorted((a, b) => a - b),
    all_monitors: given.all_monitors ?? (ids.length > 0 && given.monitor_ids ? false : before.all_monitors),
    starts_at,
    ends_at: endOf(given, starts_at, before.ends_at),
    time_zone,
    recurrence: given.recurrence === undefined ? before.recurrence : ruleOf(given.recurrence, { starts_at, time_zone }),
  }
}

function endOf({ ends_at, duration }: MaintenanceWindowPatch, starts_at: number, before: number): number {
  if (ends_at !== undefined) return Date.parse(ends_at)
  return duration === undefined ? before : starts_at + duration * 1000
}

function ruleOf(given: RecurrenceWrite | null, start: { starts_at: number; time_zone: string }): Rule | null {
  if (given === null) return null
  const { frequency, interval = 1, until = null } = given
  // A zone that does not exist is refused elsewhere.
  const { day } = localTime(start.starts_at, isTimeZone(start.time_zone) ? start.time_zone : 'UTC')
  return {
    frequency,
    interval,
    weekdays: frequency === 'weekly' ? (given.weekdays ?? [weekdayOf(day)]) : null,
    day_of_month: frequency === 'monthly' ? (given.day_of_month ?? dayOfMonth(day)) : null,
    until: until === null ? null : Date.parse(until),
  }
}

/** Of two whose clocks differ a little, the client's may be ahead. */
const clockToleranceMs = 60_000
const earliest = Date.UTC(2000, 0)
const latest = Date.UTC(2100, 0)

/** What no schema can say: of fields that depend on each other, and of time. */
export function settingsErrors(given: MaintenanceWindowPatch, after: MaintenanceSettings, now: number): FieldErrors {
  const errors: FieldErrors = {}
  if (after.all_monitors && after.monitor_ids.length > 0) errors.monitor_ids = 'must be left out with all_monitors'
  else if (!after.all_monitors && after.monitor_ids.length === 0) {
    errors.monitor_ids = 'must name a monitor, or all_monitors be true'
  }
  if (!(after.starts_at >= earliest && after.starts_at < latest)) errors.starts_at = 'must be between 2000 and 2100'
  const end = endError(given, after, now)
  if (end !== undefined)
    errors[given.duration !== undefined && given.ends_at === undefined ? 'duration' : 'ends_at'] = end
  if (!isTimeZone(after.time_zone)) errors.time_zone = 'must be the name of a time zone such as Europe/Berlin'
  if (Object.keys(errors).length > 0) return errors
  return after.recurrence === null ? {} : recurrenceErrors(given.recurrence ?? {}, after.recurrence, after)
}

function endError(given: MaintenanceWindowPatch, { starts_at, ends_at }: Timing, now: number): string | undefined {
  if (given.ends_at !== undefined && given.duration !== undefined) return 'must be left out, or duration be'
  if (Number.isNaN(ends_at)) return 'is required, or duration'
  if (ends_at <= starts_at) return 'must be after starts_at'
  const seconds = (ends_at - starts_at) / 1000
  if (seconds > maintenanceSeconds.maximum) return 'must be 30 days after starts_at at most'
  // What is over may have been shorter: a deployment that was quick.
  const over = ends_at <= now + clockToleranceMs
  return seconds < maintenanceSeconds.minimum && !over ? 'must be a minute after starts_at at least' : undefined
}

function recurrenceErrors(given: Partial<RecurrenceWrite>, rule: Rule, timing: Timing): FieldErrors {
  const errors: FieldErrors = {}
  if (given.weekdays && rule.frequency !== 'weekly') errors['recurrence.weekdays'] = 'is for weekly only'
  if (given.day_of_month && rule.frequency !== 'monthly') errors['recurrence.day_of_month'] = 'is for monthly only'
  // A day may have but 23 hours.
  const hours = shortestGapDays(rule) * 24 - 1
  if (timing.ends_at - timing.starts_at > hours * 3_600_000) {
    errors.ends_at = `must be ${hours} hours after starts_at at most, or it would still run when it comes again`
  }
  if (Object.keys(errors).length === 0 && nextOccurrence(timing, Number.NEGATIVE_INFINITY) === null) {
    errors['recurrence.until'] = 'is before it would start for the first time'
  }
  return errors
}

/** Where a window stands at a moment: what runs, and what comes next. */
export interface Standing {
  current: Occurrence | null
  next: Occurrence | null
}

export function standingAt(timing: Timing, at: number): Standing {
  return { current: occurrenceAt(timing, at), next: nextOccurrence(timing, at) }
}

export function statusOf({ current, next }: Standing): MaintenanceStatus {
  if (current !== null) return 'active'
  return next === null ? 'ended' : 'scheduled'
}

/** Whether a window is about a monitor of its team. */
export function concerns(
  window: Pick<MaintenanceSettings, 'all_monitors' | 'monitor_ids'>,
  monitor_id: number,
): boolean {
  return window.all_monitors || window.monitor_ids.includes(monitor_id)
}

/** The first of a team's windows in which a monitor is at a moment. */
export function activeWindow<W extends MaintenanceSettings>(
  windows: Iterable<W>,
  monitor_id: number,
  at: number,
): W | undefined {
  for (const window of windows) {
    if (concerns(window, monitor_id) && occurrenceAt(window, at) !== null) return window
  }
  return undefined
}

/** How far ahead pages announce what is planned. */
export const shownAheadMs = 7 * dayMs
