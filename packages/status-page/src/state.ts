import type { CurrentStatus, StatusPayload } from '@watchpost/contract'
import type { Level } from './days.ts'
import type { View } from './view.ts'

type Monitor = StatusPayload['monitors'][number]

/** What is said of several monitors together: a level to draw by, a headline, and counts where they differ. */
export type State = { level: Level; headline: string; detail: string[] }

/** What is said of a monitor: one that does not answer in maintenance is not just unknown. */
export type Said = CurrentStatus | 'maintenance'

const levels: Record<Said, Level> = { operational: 'up', down: 'fall', unknown: 'blank', maintenance: 'blank' }

export const levelOf = (said: Said): Level => levels[said]

/** A status that this page has no word for is no news, good or bad. */
export const statusOf = ({ current_status }: Monitor): CurrentStatus =>
  current_status === 'operational' || current_status === 'down' ? current_status : 'unknown'

export const saidOf = (monitor: Monitor): Said => {
  const status = statusOf(monitor)
  return status === 'unknown' && monitor.in_maintenance ? 'maintenance' : status
}

/** Planned work that is being done. */
export const isRunning = (maintenance: StatusPayload['maintenance'][number]): boolean => maintenance.status === 'active'

/** An incident that is not over. */
export const isOpen = (incident: StatusPayload['incidents'][number]): boolean => incident.status !== 'resolved'

/**
 * The state of the page. `overall_status` knows only operational and partial; an open incident, or nothing watched
 * at all, or maintenance, would make a plain "operational" a lie, so all are said.
 */
export function pageState({ payload, words }: View): State {
  const { monitors, incidents, overall_status } = payload
  if (monitors.length === 0) return { level: 'blank', headline: words.empty, detail: [words.emptyHint] }
  const detail = counts(monitors, words)
  const down = count(monitors, 'down')
  if (down > 0 && down === monitors.length) return { level: 'fall', headline: words.allDown, detail }
  if (down > 0 || overall_status === 'partial') return { level: 'fall', headline: words.someDown, detail }
  const open = incidents.filter(isOpen)
  if (open.length > 0) {
    return {
      level: open.every(({ severity }) => severity === 'minor') ? 'dip' : 'fall',
      headline: words.incidentOpen,
      detail,
    }
  }
  if (payload.maintenance.some(isRunning)) {
    const well = count(monitors, 'operational') === monitors.length
    return { level: well ? 'up' : 'blank', headline: words.runningMaintenance, detail }
  }
  if (count(monitors, 'operational') === 0) return { level: 'blank', headline: words.nothingWatched, detail: [] }
  if (count(monitors, 'unknown') > 0) return { level: 'up', headline: words.allWatchedOperational, detail }
  return { level: 'up', headline: words.allOperational, detail: [] }
}

/** The state of a group, by its status in the payload and, where nothing in it is watched, by that. */
export function groupState(partial: boolean, monitors: Monitor[], { words }: View): State {
  const down = count(monitors, 'down')
  const detail = down > 0 ? [words.downOf(down, monitors.length)] : []
  if (down > 0 && down === monitors.length) return { level: 'fall', headline: words.down, detail: [] }
  if (down > 0 || partial) return { level: 'dip', headline: words.groupPartial, detail }
  if (count(monitors, 'operational') === 0) {
    const planned = count(monitors, 'maintenance') > 0
    return { level: 'blank', headline: planned ? words.maintenance : words.unknown, detail: [] }
  }
  const unwatched = count(monitors, 'unknown')
  return { level: 'up', headline: words.operational, detail: unwatched > 0 ? [words.counts.unknown(unwatched)] : [] }
}

const count = (monitors: Monitor[], said: Said): number => monitors.filter(monitor => saidOf(monitor) === said).length

function counts(monitors: Monitor[], words: View['words']): string[] {
  const order = ['down', 'maintenance', 'unknown', 'operational'] as const
  const present = order.filter(status => count(monitors, status) > 0)
  return present.map(status => words.counts[status](count(monitors, status)))
}
