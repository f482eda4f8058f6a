import type { MonitorStatus, StatusPayload } from '@watchpost/contract'
import {
  type PageDaysRow,
  pageDays,
  type ShownIncidentRow,
  type ShownMonitorRow,
  type StatusPageRow,
  shownIncidents,
  shownMonitors,
  statusPageBySlug,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { currentStatus, groupMonitors, overallStatus } from '../domain/overall.ts'
import { countDays, dailyHistory, datesFrom, firstDay, sumDays } from '../domain/uptime.ts'
import { iso, isoOrNull } from './time.ts'

/** How many incidents a page shows (specification 2.3). */
const shownAtMost = 10

/** What the public sees of a page (specification 2.3); undefined where there is none, or it is private. */
export async function readStatus(context: Context, slug: string): Promise<StatusPayload | undefined> {
  const page = await context.db.one(statusPageBySlug, { slug })
  if (page === undefined || page.is_public === 0) return undefined
  const now = context.now()
  const key = { team_id: page.team_id, page_id: page.id }
  const first = firstDay(page.show_history_days, now)
  const [monitors, days, incidents] = await Promise.all([
    context.db.all(shownMonitors, key),
    context.db.all(pageDays, { ...key, day_from: first }),
    context.db.all(shownIncidents, { ...key, limit: shownAtMost }),
  ])
  return { ...statusPayload(page, monitors, days, now), incidents: incidents.map(shownIncident) }
}

function shownIncident({ monitor_name, ...incident }: ShownIncidentRow): StatusPayload['incidents'][number] {
  return {
    ...incident,
    // Text in the specification; an incident that names the page need not affect a monitor on it.
    monitor_name: monitor_name ?? '',
    started_at: iso(incident.started_at),
    resolved_at: isoOrNull(incident.resolved_at),
  }
}

function statusPayload(
  page: StatusPageRow,
  rows: ShownMonitorRow[],
  days: PageDaysRow[],
  now: number,
): Omit<StatusPayload, 'incidents'> {
  const length = page.show_history_days
  const first = firstDay(length, now)
  const dates = datesFrom(first, length)
  const countsOf = new Map(days.map(row => [row.monitor_id, countDays(row.days, first, length)]))
  const groups = groupMonitors(
    rows.map(row => ({ ...row, current_status: currentStatus(row.status as MonitorStatus) })),
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
        response_time_ms: monitor.response_time_ms,
        last_check: isoOrNull(monitor.last_check_at),
        show_uptime: monitor.show_uptime === 1,
        show_response_time: monitor.show_response_time === 1,
        uptime_history:
          monitor.show_uptime === 1
            ? dailyHistory(countsOf.get(monitor.monitor_id) ?? countDays('', first, length), dates)
            : [],
      })),
    ),
    uptime_history: dailyHistory(sumDays([...countsOf.values()], length), dates),
    updated_at: iso(now),
  }
}
