import Type from 'typebox'
import { listQuery } from '../list-query.ts'
import { route } from '../route.ts'
import { CheckOutcome, CheckRecord } from '../schema/check.ts'
import { Explanation } from '../schema/explanation.ts'
import { Metrics, MetricsQuery } from '../schema/metrics.ts'
import { Monitor, MonitorPatch, MonitorReplacement, MonitorTest, MonitorWrite } from '../schema/monitor.ts'
import { Timestamp } from '../schema/scalar.ts'

/** Specification 4.3. */
export const monitorRoutes = {
  listMonitors: route({
    method: 'GET',
    path: '/v1/monitors',
    surface: 'user',
    role: 'viewer',
    summary: 'List monitors',
    // Whether a window covers it is a matter of calendars and time zones, which no store can search by.
    query: listQuery(Monitor),
    envelope: 'list',
    reply: Monitor,
  }),
  getMonitor: route({
    method: 'GET',
    path: '/v1/monitors/{id}',
    surface: 'user',
    role: 'viewer',
    summary: 'Read a monitor',
    envelope: 'item',
    reply: Monitor,
  }),
  createMonitor: route({
    method: 'POST',
    path: '/v1/monitors',
    surface: 'user',
    role: 'member',
    summary: 'Create a monitor',
    description:
      'It is pending until its first verdict, and due for a check at once. A `server` monitor is made with its probe.',
    body: MonitorWrite,
    envelope: 'created',
    reply: Monitor,
    message: 'Monitor created',
  }),
  testMonitor: route({
    method: 'POST',
    path: '/v1/monitors/test',
    surface: 'user',
    role: 'member',
    summary: 'Look at a target once, now',
    description:
      'By the probe beside the server, before anything is saved; nothing is kept of it. `unavailable` where no probe ' +
      'runs beside the server (`--with-probe`).',
    body: MonitorTest,
    envelope: 'updated',
    reply: CheckOutcome,
    message: 'Looked',
    changesNothing: true,
  }),
  replaceMonitor: route({
    method: 'PUT',
    path: '/v1/monitors/{id}',
    surface: 'user',
    role: 'member',
    summary: 'Replace a monitor',
    description: 'Fields that are absent return to their defaults. The type cannot change.',
    body: MonitorReplacement,
    envelope: 'updated',
    reply: Monitor,
    message: 'Monitor updated',
  }),
  updateMonitor: route({
    method: 'PATCH',
    path: '/v1/monitors/{id}',
    surface: 'user',
    role: 'member',
    summary: 'Change fields of a monitor',
    body: MonitorPatch,
    envelope: 'updated',
    reply: Monitor,
    message: 'Monitor updated',
  }),
  deleteMonitor: route({
    method: 'DELETE',
    path: '/v1/monitors/{id}',
    surface: 'user',
    role: 'member',
    summary: 'Delete a monitor and its history',
    envelope: 'deleted',
    reply: Type.Null(),
    message: 'Monitor deleted',
  }),
  listMonitorChecks: route({
    method: 'GET',
    path: '/v1/monitors/{id}/checks',
    surface: 'user',
    role: 'viewer',
    summary: 'Check history of a monitor',
    description:
      'Newest first, unless sorted otherwise. Single checks are kept for seven days. Failures, changes and one success in ' +
      'five minutes have `timings`.',
    query: listQuery(CheckRecord, ['trace_id'], {
      from: Type.Optional(Timestamp({ description: 'Only those that started at this time or later.' })),
      to: Type.Optional(Timestamp({ description: 'Only those that started at this time or earlier.' })),
    }),
    envelope: 'list',
    reply: CheckRecord,
  }),
  getMonitorMetrics: route({
    method: 'GET',
    path: '/v1/monitors/{id}/metrics',
    surface: 'user',
    role: 'viewer',
    summary: 'Uptime and response times of a monitor',
    description:
      'Of the last 24 hours, unless asked otherwise. Time nobody watched has no uptime: unknown is not down.',
    query: MetricsQuery,
    envelope: 'item',
    reply: Metrics,
  }),
  explainMonitor: route({
    method: 'GET',
    path: '/v1/monitors/{id}/explain',
    surface: 'user',
    role: 'viewer',
    summary: 'Why a monitor has its status',
    envelope: 'item',
    reply: Explanation,
  }),
}
