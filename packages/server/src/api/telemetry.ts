import { attributePrefix, type TelemetryQuery, type telemetryRoutes } from '@watchpost/contract'
import { found, type Handlers, Prepared } from '../http/handler.ts'
import { refuse } from '../http/validate.ts'
import type { Search } from '../telemetry/ask.ts'
import { readCursor } from '../telemetry/slices.ts'
import { findApp } from './apps.ts'

export const telemetryHandlers: Handlers<typeof telemetryRoutes> = {
  listServices: found({
    find: findApp,
    handle: ({ query, caller, context }, app) =>
      context.telemetry.questions.ask(caller.team_id, 'services', { app_id: app.id, ...rangeOf(query) }),
  }),

  listTraces: found({
    find: findApp,
    handle({ query, caller, context }, app) {
      const { name, min_duration, max_duration, status } = query
      return context.telemetry.questions.ask(caller.team_id, 'traces', {
        ...searchOf(app.id, query, 50),
        name,
        minDuration: min_duration,
        maxDuration: max_duration,
        status: status === undefined ? undefined : ['unset', 'ok', 'error'].indexOf(status),
      })
    },
  }),

  getTrace: found({
    async find(head) {
      const app = await findApp(head)
      const trace_id = head.params.trace_id.toLowerCase()
      if (app === undefined || !/^[0-9a-f]{32}$/.test(trace_id)) return undefined
      const trace = await head.context.telemetry.questions.ask(head.caller.team_id, 'trace', {
        app_id: app.id,
        traceId: trace_id,
      })
      return trace && new Prepared(Buffer.from(trace.body.buffer), trace.tag)
    },
    handle: async (_, trace) => trace,
  }),

  listLogs: found({
    find: findApp,
    handle({ query, caller, context }, app) {
      const severity = query.severity === undefined ? 0 : (leastSeverity[query.severity] ?? 0)
      const traceId = query.trace_id?.toLowerCase()
      return context.telemetry.questions.ask(caller.team_id, 'logs', {
        ...searchOf(app.id, query, 100),
        q: query.q,
        severity,
        traceId,
      })
    },
  }),

  listMetrics: found({
    find: findApp,
    handle: ({ caller, context }, app) =>
      context.telemetry.questions.ask(caller.team_id, 'metrics', { app_id: app.id }),
  }),

  getMetric: found({
    async find(head) {
      const app = await findApp(head)
      if (app === undefined) return undefined
      const { name } = head.params
      const isKnown = await head.context.telemetry.questions.ask(head.caller.team_id, 'hasMetric', {
        app_id: app.id,
        name,
      })
      return isKnown ? { app_id: app.id, name } : undefined
    },
    handle({ query, caller, context }, metric) {
      const now = context.now()
      const { from = query.to === undefined ? now - hourMs : timeOf(query.to) - hourMs, to = now } = given(query)
      if (from > to) refuse({ from: 'must not be after to' })
      const stat = query.stat ?? (query.rate === true ? 'rate' : undefined)
      const attributes = attributesOf(query)
      const { service, step } = query
      return context.telemetry.questions.ask(caller.team_id, 'metric', {
        ...metric,
        from,
        to,
        now,
        stat,
        step,
        service,
        attributes,
      })
    },
  }),
}

const hourMs = 3_600_000

/** The smallest number of each word (OpenTelemetry has four of each). */
const leastSeverity: Record<string, number> = { trace: 1, debug: 5, info: 9, warn: 13, error: 17, fatal: 21 }

const timeOf = (text: string): number => Date.parse(text)

function given({ from, to }: Pick<TelemetryQuery, 'from' | 'to'>): { from?: number; to?: number } {
  return { ...(from === undefined ? {} : { from: timeOf(from) }), ...(to === undefined ? {} : { to: timeOf(to) }) }
}

function rangeOf(query: Pick<TelemetryQuery, 'from' | 'to'>): { from: number; to: number } {
  const { from = 0, to = Number.MAX_SAFE_INTEGER } = given(query)
  if (from > to) refuse({ from: 'must not be after to' })
  return { from, to }
}

function searchOf(app_id: number, query: TelemetryQuery, limit: number): Search {
  const { cursor, service } = query
  if (cursor !== undefined && readCursor(cursor) === undefined) {
    refuse({ cursor: 'is none of ours; take meta.next_cursor of the page before' })
  }
  return { app_id, ...rangeOf(query), limit: query.limit ?? limit, cursor, service, attributes: attributesOf(query) }
}

/** `attr.http.route=/cart`, and others. */
function attributesOf(query: object): [string, string][] {
  return Object.entries(query)
    .filter(([name]) => name.startsWith(attributePrefix))
    .map(([name, value]) => [name.slice(attributePrefix.length), String(value)])
}
