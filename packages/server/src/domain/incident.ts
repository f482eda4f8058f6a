import type { IncidentPatch, IncidentSeverity, IncidentStatus, IncidentWrite, MonitorStatus } from '@watchpost/contract'

/** What a person, or a monitor, says of an incident. Times in epoch ms. */
export interface IncidentSettings {
  title: string
  description: string | null
  status: IncidentStatus
  severity: IncidentSeverity
  monitor_ids: number[]
  status_page_ids: number[]
  started_at: number
}

/** @param started_at when it started where the body does not say */
export function withDefaults(given: IncidentWrite, started_at: number): IncidentSettings {
  return applied(given, {
    title: given.title,
    description: null,
    status: 'investigating',
    severity: 'major',
    monitor_ids: [],
    status_page_ids: [],
    started_at,
  })
}

/** What PATCH leads to: what the body names changes, the rest stays. */
export function applied(given: IncidentPatch, before: IncidentSettings): IncidentSettings {
  return {
    title: given.title ?? before.title,
    description: given.description === undefined ? before.description : given.description,
    status: given.status ?? before.status,
    severity: given.severity ?? before.severity,
    monitor_ids: given.monitor_ids ?? before.monitor_ids,
    status_page_ids: given.status_page_ids ?? before.status_page_ids,
    started_at: given.started_at === undefined ? before.started_at : Date.parse(given.started_at),
  }
}

/**
 * When an incident was resolved: set by resolving, kept while it stays so, cleared by reopening (ruling 24).
 * @param before when it was resolved before, if it was
 * @param at now, or when the check ran that shows the recovery; never before the start
 */
export function resolvedAt(
  { status, started_at }: Pick<IncidentSettings, 'status' | 'started_at'>,
  before: number | null,
  at: number,
): number | null {
  return status === 'resolved' ? Math.max(before ?? at, started_at) : null
}

/**
 * What a monitor's new status does to its automatic incident (ruling 24).
 * Recovery resolves one that is open although none is wanted any more: whoever was told of it is told of its end.
 * @param open whether the monitor has one open; paused and resumed in between, say
 * @param wanted the option `auto_incident`
 */
export function automaticMove(new_status: MonitorStatus, open: boolean, wanted: boolean): 'open' | 'resolve' | null {
  if (new_status === 'online') return open ? 'resolve' : null
  return new_status === 'offline' && !open && wanted ? 'open' : null
}

const longest = 255

/** Public, so the monitor's name and neither target nor error. */
export function downTitle(name: string): string {
  const rest = ' is down'
  const letters = [...name]
  const fits = letters.length <= longest - rest.length
  return `${fits ? name : `${letters.slice(0, longest - rest.length - 1).join('')}…`}${rest}`
}

export const recoveryMessage = (name: string): string => `${name} is up again.`

export const monitorDeletedMessage = 'The monitor was deleted; nobody watches this any more.'
