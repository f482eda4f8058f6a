import { route } from '../route.ts'
import {
  RumErrorGroup,
  RumErrorQuery,
  RumPage,
  RumPageQuery,
  RumSession,
  RumSessionQuery,
  RumVisit,
  RumVisitQuery,
  RumVital,
  RumVitalQuery,
} from '../schema/rum.ts'

const rum = '/api/observability/apps/{id}/rum'
const common = { method: 'GET', surface: 'user', role: 'viewer', envelope: 'slice' } as const
const early = 'A question that would take too long leaves out the oldest days: `meta.complete` is false then.'

/** What was kept of the pages of an app. */
export const rumRoutes = {
  listRumVitals: route({
    ...common,
    path: `${rum}/vitals`,
    summary: 'Web vitals by page, most measured first',
    description: `Over time with \`step\`. ${early}`,
    query: RumVitalQuery,
    reply: RumVital,
  }),
  listRumSessions: route({
    ...common,
    path: `${rum}/sessions`,
    summary: 'Visits, newest first',
    description:
      'Those that began in the time; with `error` those in which it happened then, with `page` those that loaded it, with both ' +
      `those in which it happened there. ${early}`,
    query: RumSessionQuery,
    reply: RumSession,
  }),
  getRumSession: route({
    ...common,
    path: `${rum}/sessions/{session_id}`,
    summary: 'A visit with its events, oldest first',
    description:
      'Requests that the script gave a trace name it: `traces/{trace_id}` shows what the servers did meanwhile. ' +
      'Where an id was used for more than one visit, this is all of them together.',
    envelope: 'item',
    query: RumVisitQuery,
    reply: RumVisit,
  }),
  listRumErrors: route({
    ...common,
    path: `${rum}/errors`,
    summary: 'Errors by their cause, most frequent first',
    description: early,
    query: RumErrorQuery,
    reply: RumErrorGroup,
  }),
  listRumPages: route({
    ...common,
    path: `${rum}/pages`,
    summary: 'Pages, slowest first',
    description: `Over time with \`step\`. ${early}`,
    query: RumPageQuery,
    reply: RumPage,
  }),
}
