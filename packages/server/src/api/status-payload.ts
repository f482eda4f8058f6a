import { hash } from 'node:crypto'
import type { MonitorStatus, StatusPayload } from '@watchpost/contract'
import type { ShownPage } from '@watchpost/status-page'
import {
  pageDays,
  type ShownMonitorRow,
  type StatusPageRow,
  shownIncidents,
  shownMonitors,
  statusPageBySlug,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { concerns, shownAheadMs } from '../domain/maintenance.ts'
import { currentStatus, groupMonitors, overallStatus } from '../domain/overall.ts'
import { isSilent, silentAt } from '../domain/silence.ts'
import { countDays, type DayCounts, dailyHistory, datesFrom, firstDay, splitDays, sumDays } from '../domain/uptime.ts'
import { plannedAt } from './maintenance-windows.ts'
import { incidentsForPeople, shownIncident } from './shown-incidents.ts'
import { iso, isoOrNull } from './time.ts'

/** How many incidents a page shows (specification 2.3). */
const shownAtMost = 10

/** A page as the public sees it, and what of its team was known. */
export interface ReadStatus {
  team_id: number
  /** Changes of the team before it was read. */
  changes: number
  payload: StatusPayload
  /** When the next of its monitors is unknown, epoch ms, if nobody looks until then. */
  silentAt: number
  /** Its days that no result can change any more. */
  closed: ClosedDays
  /** The row it was read from. */
  page: StatusPageRow
  /** The page with the days of each monitor, which only people are shown. */
  shown(): Promise<ShownPage>
}

/** Days of a page that are older than any result may be: they are added up once a day, not with every change. */
export interface ClosedDays {
  /** Which monitors, and which days. */
  of: string
  counts: DayCounts
}

/** Results are taken for seven days; one more is for what is under way at midnight. */
const openDays = 9

/**
 * What the public sees of a page (specification 2.3); undefined where there is none, or it is private.
 * @param closed what an earlier reading found of its older days
 */
export async function readStatus(context: Context, slug: string, closed?: ClosedDays): Promise<ReadStatus | undefined> {
  const page = await context.db.one(statusPageBySlug, { slug })
  return page === undefined || page.is_public === 0 ? undefined : readPage(context, page, closed)
}

/** The same of a page that was read, be it public or not. */
export async function readPage(context: Context, page: StatusPageRow, closed?: ClosedDays): Promise<ReadStatus> {
  const now = context.now()
  const { team_id, show_history_days: length } = page
  // As of the row above: no commit of this process comes between, and those of others are not counted.
  const changes = context.changes.of(team_id)
  const key = { team_id, page_id: page.id }
  const first = firstDay(length, now)
  const [monitors, incidents] = await Promise.all([
    context.db.all(shownMonitors, key),
    context.db.all(shownIncidents, { ...key, limit: shownAtMost }),
  ])
  const countsFrom = async (day_from: number) => {
    const days = await context.db.all(pageDays, { ...key, day_from })
    return new Map(days.map(row => [row.monitor_id, countDays(row.days, first, length)]))
  }
  const of = `${first} ${length} ${monitors.map(row => row.monitor_id).join()}`
  const known = closed?.of === of ? closed.counts : undefined
  const openFrom = first + Math.max(0, length - openDays)
  const read = sumDays([...(await countsFrom(known === undefined ? first : openFrom)).values()], length)
  const { before, after } = splitDays(read, openFrom - first)
  const ended = known ?? before
  const dates = datesFrom(first, length)
  const payload: StatusPayload = {
    ...statusPayload(context, page, monitors, now),
    uptime_history: dailyHistory(sumDays([ended, after], length), dates),
    incidents: incidents.map(shownIncident),
    maintenance: shownMaintenance(context, team_id, monitors, now),
  }
  const shown = async (): Promise<ShownPage> => {
    const onPage = new Set(monitors.map(({ monitor_id }) => monitor_id))
    const [countsOf, told] = await Promise.all([
      countsFrom(first),
      incidentsForPeople(context.db, team_id, incidents, onPage),
    ])
    const historyOf = (id: number) => dailyHistory(countsOf.get(id) ?? countDays('', first, length), dates)
    return {
      ...payload,
      id: page.id,
      created_at: iso(page.created_at),
      logo: page.logo === null ? null : `/status/${page.slug}/logo?v=${hash('sha1', page.logo, 'hex').slice(0, 8)}`,
      incidents: told,
      monitors: payload.monitors.map(each => ({ ...each, uptime_history: each.show_uptime ? historyOf(each.id) : [] })),
    }
  }
  const silences = monitors.map(row => silentAt(row) ?? Number.POSITIVE_INFINITY).filter(at => at > now)
  return { team_id, changes, payload, page, silentAt: Math.min(...silences), closed: { of, counts: ended }, shown }
}

/** How many maintenance windows a page shows. */
const windowsAtMost = 20

/** What runs, then what is near, of the windows that concern a monitor of the page, and nothing of other monitors. */
function shownMaintenance(
  context: Context,
  team_id: number,
  monitors: ShownMonitorRow[],
  now: number,
): StatusPayload['maintenance'] {
  return context.windows
    .standing(team_id, now)
    .flatMap(({ window, current, next }) => {
      const occurrence = current ?? next
      const monitor_ids = monitors.map(row => row.monitor_id).filter(id => concerns(window, id))
      if (occurrence === null || monitor_ids.length === 0) return []
      if (current === null && occurrence.starts_at > now + shownAheadMs) return []
      const { id, title, description } = window
      return { id, title, description, active: current !== null, ...occurrence, monitor_ids }
    })
    .sort(
      (a, b) => Number(b.active) - Number(a.active) || (a.active ? a.ends_at - b.ends_at : a.starts_at - b.starts_at),
    )
    .slice(0, windowsAtMost)
    .map(({ active, ...shown }) => ({
      ...shown,
      status: active ? 'active' : 'scheduled',
      starts_at: iso(shown.starts_at),
      ends_at: iso(shown.ends_at),
    }))
}

function statusPayload(
  context: Context,
  page: StatusPageRow,
  rows: ShownMonitorRow[],
  now: number,
): Omit<StatusPayload, 'uptime_history' | 'incidents' | 'maintenance'> {
  const groups = groupMonitors(
    rows.map(row => {
      const in_maintenance = plannedAt(context, page.team_id, row.monitor_id, now)
      return {
        ...row,
        in_maintenance,
        current_status: currentStatus(row.status as MonitorStatus, in_maintenance, isSilent(row, now)),
      }
    }),
  )
  return {
    slug: page.slug,
    title: page.title,
    description: page.description,
    is_public: true,
    language: page.language,
    show_history_days: page.show_history_days,
    theme: JSON.parse(page.theme),
    overall_status: overallStatus(groups.flatMap(group => group.monitors)),
    groups: groups.map(({ name, status }) => ({ name, status })),
    monitors: groups.flatMap(group =>
      group.monitors.map(monitor => ({
        id: monitor.monitor_id,
        name: monitor.name,
        display_name: monitor.display_name,
        group_name: monitor.group_name,
        current_status: monitor.current_status,
        in_maintenance: monitor.in_maintenance,
        response_time_ms: monitor.response_time_ms,
        last_check: isoOrNull(monitor.last_check_at),
        show_uptime: monitor.show_uptime === 1,
        show_response_time: monitor.show_response_time === 1,
      })),
    ),
    updated_at: iso(now),
  }
}
