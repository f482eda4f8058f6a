import { route } from '../route.ts'
import {
  LogEntry,
  LogQuery,
  MetricQuery,
  MetricSeries,
  MetricSummary,
  ServiceQuery,
  ServiceSummary,
  Trace,
  TraceQuery,
  TraceSummary,
} from '../schema/telemetry.ts'

const app = '/api/observability/apps/{id}'
const common = { method: 'GET', surface: 'user', role: 'viewer' } as const
const filters =
  'Filters combine. `attr.KEY=VALUE` asks for an attribute, and may be given for several. ' +
  'A search that would take too long stops early: `meta.complete` is false then, and `meta.next_cursor` goes on.'

/** What was kept of an app's telemetry. */
export const telemetryRoutes = {
  listServices: route({
    ...common,
    path: `${app}/services`,
    summary: 'Services that sent spans or logs',
    query: ServiceQuery,
    envelope: 'slice',
    reply: ServiceSummary,
  }),
  listTraces: route({
    ...common,
    path: `${app}/traces`,
    summary: 'Traces, newest first',
    description: `Those with a span that is all of what is asked for. ${filters}`,
    query: TraceQuery,
    envelope: 'slice',
    reply: TraceSummary,
  }),
  getTrace: route({
    ...common,
    path: `${app}/traces/{trace_id}`,
    summary: 'Every span of a trace',
    envelope: 'item',
    reply: Trace,
  }),
  listLogs: route({
    ...common,
    path: `${app}/logs`,
    summary: 'Log records, newest first',
    description: filters,
    query: LogQuery,
    envelope: 'slice',
    reply: LogEntry,
  }),
  listMetrics: route({
    ...common,
    path: `${app}/metrics`,
    summary: 'Names of metrics',
    envelope: 'slice',
    reply: MetricSummary,
  }),
  getMetric: route({
    ...common,
    path: `${app}/metrics/{name}`,
    summary: 'Points of a metric, by its labels',
    description: 'The last hour if no range is given. Of older ranges there are points of 5 minutes, an hour or a day.',
    query: MetricQuery,
    envelope: 'item',
    reply: MetricSeries,
  }),
}
