import { weekBefore } from './maintenance.ts'
import type { ShownIncident, ShownMonitor, ShownPage } from './shown-page.ts'
import { isOpen, isRunning, pageState, saidOf } from './state.ts'
import { viewOf } from './view.ts'

/**
 * The page in the shape that pollers of other makers read: that of Statuspage.io's API, version 2. What nobody watches
 * has no word there and is left out: it is neither up nor down.
 */
export function summaryOf(payload: ShownPage, url: string) {
  return {
    ...statusOf(payload, url),
    components: componentsOf(payload),
    incidents: payload.incidents.filter(isOpen).map(incident => incidentOf(incident, payload, url)),
    scheduled_maintenances: payload.maintenance.map(window => maintenanceOf(window, payload, url)),
  }
}

type Indicator = 'none' | 'minor' | 'major' | 'critical' | 'maintenance'

/** The page and the one word on it. */
export function statusOf(payload: ShownPage, url: string) {
  const view = viewOf(payload, new Date(payload.updated_at))
  const { level, headline } = pageState(view)
  const { id, title, updated_at, incidents, monitors, maintenance } = payload
  const severities = incidents.filter(isOpen).map(({ severity }) => severity)
  const down = monitors.filter(monitor => monitor.current_status === 'down').length
  const indicator: Indicator =
    severities.includes('critical') || (down > 0 && down === monitors.length)
      ? 'critical'
      : severities.includes('major') || level === 'fall'
        ? 'major'
        : severities.includes('minor') || level === 'dip'
          ? 'minor'
          : maintenance.some(isRunning)
            ? 'maintenance'
            : 'none'
  return {
    page: { id: String(id), name: title, url, time_zone: 'Etc/UTC', updated_at },
    status: { indicator, description: headline },
  }
}

const statusWord = {
  operational: 'operational',
  down: 'major_outage',
  maintenance: 'under_maintenance',
  unknown: undefined,
} as const

type ComponentStatus = 'operational' | 'partial_outage' | 'major_outage' | 'under_maintenance'

function componentsOf(payload: ShownPage) {
  const { id: page_id, created_at, groups } = payload
  const shown = payload.monitors.filter(monitor => statusWord[saidOf(monitor)] !== undefined)
  const groupIds = new Map(groups.map(({ name }, index) => [name, `g${index + 1}`]))
  const of = (name: string) => shown.filter(monitor => monitor.group_name === name)
  const usual = { created_at, page_id: String(page_id), description: null, showcase: false, start_date: null }
  const rows = groups.flatMap(({ name, status }, index) => {
    const members = of(name)
    if (members.length === 0) return []
    const down = members.filter(member => member.current_status === 'down').length
    const planned = members.some(member => saidOf(member) === 'maintenance')
    const word: ComponentStatus =
      down === 0 && status === 'operational'
        ? planned
          ? 'under_maintenance'
          : 'operational'
        : down === members.length
          ? 'major_outage'
          : 'partial_outage'
    const group = {
      ...usual,
      id: `g${index + 1}`,
      name,
      status: word,
      updated_at: members.map(seenAt(payload)).sort().at(-1) as string,
      position: index + 1,
      group_id: null as string | null,
      group: true,
      only_show_if_degraded: false,
      components: members.map(({ id }) => String(id)),
    }
    return [group, ...members.map((member, at) => componentOf(member, at, payload, groupIds.get(name) ?? null))]
  })
  return rows
}

function componentOf(monitor: ShownMonitor, index: number, payload: ShownPage, group_id: string | null) {
  return {
    id: String(monitor.id),
    name: monitor.display_name ?? monitor.name,
    status: (statusWord[saidOf(monitor)] ?? 'operational') as ComponentStatus,
    created_at: payload.created_at,
    updated_at: seenAt(payload)(monitor),
    position: index + 1,
    description: null,
    showcase: false,
    start_date: null,
    group_id,
    page_id: String(payload.id),
    group: false,
    only_show_if_degraded: false,
  }
}

const seenAt =
  ({ created_at }: ShownPage) =>
  ({ last_check }: ShownMonitor): string =>
    last_check ?? created_at

const affected = (ids: number[], payload: ShownPage) =>
  payload.monitors.flatMap((monitor, index) =>
    ids.includes(monitor.id) && statusWord[saidOf(monitor)] !== undefined
      ? componentOf(monitor, index, payload, null)
      : [],
  )

function incidentOf(incident: ShownIncident, payload: ShownPage, url: string) {
  const { id, title, status, severity, started_at, resolved_at, created_at, updates, monitor_ids } = incident
  const components = affected(monitor_ids, payload)
  const updated_at = [created_at, ...updates.map(update => update.created_at)].sort().at(-1) as string
  return {
    id: String(id),
    name: title,
    status,
    impact: severity,
    created_at,
    updated_at,
    started_at,
    monitoring_at: updates.find(update => update.status === 'monitoring')?.created_at ?? null,
    resolved_at,
    shortlink: `${url}#incident-${id}`,
    page_id: String(payload.id),
    incident_updates: updates.toReversed().map(update => ({
      id: `${id}-${update.id}`,
      status: update.status,
      body: update.message,
      incident_id: String(id),
      created_at: update.created_at,
      updated_at: update.created_at,
      display_at: update.created_at,
      affected_components: null,
      deliver_notifications: true,
    })),
    components,
  }
}

function maintenanceOf(window: ShownPage['maintenance'][number], payload: ShownPage, url: string) {
  const { id, title, description, starts_at, ends_at, monitor_ids } = window
  const running = isRunning(window)
  const status = running ? 'in_progress' : 'scheduled'
  const since = running ? starts_at : weekBefore(starts_at)
  const said = { created_at: since, updated_at: since, display_at: since }
  return {
    id: `m${id}`,
    name: title,
    status,
    impact: 'maintenance',
    created_at: weekBefore(starts_at),
    updated_at: since,
    started_at: running ? starts_at : null,
    monitoring_at: null,
    resolved_at: null,
    scheduled_for: starts_at,
    scheduled_until: ends_at,
    shortlink: `${url}#maintenance-${id}`,
    page_id: String(payload.id),
    incident_updates: [
      {
        id: `m${id}-1`,
        status,
        body: description ?? title,
        incident_id: `m${id}`,
        ...said,
        affected_components: null,
        deliver_notifications: false,
      },
    ],
    components: affected(monitor_ids, payload),
  }
}
