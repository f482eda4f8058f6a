import type { Assignment, StatusPage, StatusPageSummary, Subscriber } from '@watchpost/contract'
import type { View } from '../view.ts'
import { moment } from './time.ts'

export const statusPageSummaryView: View<StatusPageSummary> = {
  singular: 'status page',
  plural: 'status pages',
  name: page => page.slug,
  columns: [
    { title: 'ID', cell: ({ id }) => String(id), right: true },
    { title: 'SLUG', cell: ({ slug }) => slug, least: 12 },
    { title: 'TITLE', cell: ({ title }) => title, least: 12 },
    { title: 'PUBLIC', cell: page => yesNo(page.is_public) },
    { title: 'MONITORS', cell: page => String(page.monitor_count), right: true },
    { title: 'DAYS', cell: page => String(page.show_history_days), right: true, optional: 1 },
    { title: 'LANGUAGE', cell: ({ language }) => language, optional: 2 },
  ],
}

export const assignmentView: View<Assignment> = {
  singular: 'assignment',
  plural: 'assignments',
  name: assignment => assignment.display_name ?? assignment.name,
  columns: [
    { title: 'MONITOR', cell: assignment => String(assignment.monitor_id), right: true },
    { title: 'NAME', cell: ({ name }) => name, least: 12 },
    { title: 'SHOWN AS', cell: assignment => assignment.display_name ?? '-', least: 12 },
    { title: 'GROUP', cell: assignment => assignment.group_name, least: 8 },
    { title: 'ORDER', cell: assignment => String(assignment.order_index), right: true },
    { title: 'UPTIME', cell: assignment => yesNo(assignment.show_uptime), optional: 1 },
    { title: 'RESPONSE', cell: assignment => yesNo(assignment.show_response_time), optional: 2 },
  ],
}

export const statusPageView: View<StatusPage> = {
  singular: 'status page',
  plural: 'status pages',
  name: page => page.slug,
  columns: [],
  parts: [{ field: 'monitors', columns: assignmentView.columns, rows: page => page.monitors }],
}

export const subscriberView: View<Subscriber> = {
  singular: 'subscriber',
  plural: 'subscribers',
  name: subscriber => subscriber.email,
  columns: [
    { title: 'ID', cell: ({ id }) => String(id), right: true },
    { title: 'E-MAIL', cell: ({ email }) => email, least: 12 },
    { title: 'CONFIRMED', cell: subscriber => moment(subscriber.confirmed_at), moment: true },
    { title: 'ASKED', cell: subscriber => moment(subscriber.created_at), moment: true, optional: 1 },
  ],
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no'
}
