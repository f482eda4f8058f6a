import type { RumSession, rumRoutes } from '@watchpost/contract'
import { type RumVisitRow, rumVisitsOf, rumVisitsOfApp } from '@watchpost/store'
import { found, type Handlers } from '../http/handler.ts'
import { refuse } from '../http/validate.ts'
import type { RumSearch } from '../rum/read-rum.ts'
import { beginning, readPlace } from '../rum/read-visit.ts'
import { cursorOf, readCursor } from '../telemetry/slices.ts'
import { findApp } from './apps.ts'
import { iso } from './time.ts'

export const rumHandlers: Handlers<typeof rumRoutes> = {
  listRumVitals: found({
    find: findApp,
    handle: ({ query, caller, context }, app) =>
      context.telemetry.questions.ask(caller.team_id, 'rumVitals', {
        ...searchOf(app.id, query, context.now()),
        name: query.name,
        step: query.step,
      }),
  }),

  listRumPages: found({
    find: findApp,
    handle: ({ query, caller, context }, app) =>
      context.telemetry.questions.ask(caller.team_id, 'rumPages', {
        ...searchOf(app.id, query, context.now()),
        step: query.step,
      }),
  }),

  listRumErrors: found({
    find: findApp,
    handle: ({ query, caller, context }, app) =>
      context.telemetry.questions.ask(caller.team_id, 'rumErrors', {
        ...searchOf(app.id, query, context.now()),
        error: query.error,
      }),
  }),

  listRumSessions: found({
    find: findApp,
    async handle({ query, caller, context }, app) {
      const { cursor, limit, ...search } = searchOf(app.id, query, context.now())
      const [before, before_id] = (cursor === undefined ? undefined : readCursor(cursor)) ?? [
        Number.MAX_SAFE_INTEGER,
        '',
      ]
      const { page, ...range } = { ...search, before, before_id, limit: limit + 1 }
      const { visits, complete } =
        page === undefined && query.error === undefined
          ? { visits: await context.db.all(rumVisitsOfApp, range), complete: true }
          : await context.telemetry.questions.ask(caller.team_id, 'rumVisits', { ...range, page, error: query.error })
      const shown = visits.slice(0, limit)
      const last = visits.length > limit ? shown.at(-1) : undefined
      const next_cursor = last === undefined ? null : cursorOf(last.started_at, last.session_id)
      return { rows: shown.map(sessionView), meta: { next_cursor, complete } }
    },
  }),

  getRumSession: found({
    async find(head) {
      const app = await findApp(head)
      const { session_id } = head.params
      // Such an id was never taken, and PostgreSQL takes no such text.
      if (app === undefined || session_id.includes('\0')) return undefined
      const rows = await head.context.db.all(rumVisitsOf, { app_id: app.id, ids: [session_id] })
      const visit = together(rows)
      return visit && { app_id: app.id, visit }
    },
    async handle({ query, caller, context }, { app_id, visit }) {
      const { cursor, limit = 50 } = query
      const place = cursor === undefined ? beginning : readPlace(cursor)
      if (place === undefined) refuse({ cursor: 'is none of ours; take next_cursor of the answer before' })
      const { session_id, started_at, last_seen_at } = visit
      const search = { app_id, session_id, started_at, last_seen_at, limit, ...(place ?? beginning) }
      return { ...sessionView(visit), ...(await context.telemetry.questions.ask(caller.team_id, 'rumVisit', search)) }
    },
  }),
}

interface Query {
  from?: string
  to?: string
  page?: string
  limit?: number
  cursor?: string
}

const dayMs = 86_400_000

/** The last 24 hours where nothing else is said. */
function searchOf(app_id: number, query: Query, now: number): RumSearch {
  const { cursor, limit = 50, page } = query
  const to = query.to === undefined ? now + dayMs : Math.min(Date.parse(query.to), now + dayMs)
  const from = query.from === undefined ? Math.min(to, now) - dayMs : Date.parse(query.from)
  if (query.from !== undefined && query.to !== undefined && from > Date.parse(query.to)) {
    refuse({ from: 'must not be after to' })
  }
  if (cursor !== undefined && readCursor(cursor) === undefined) {
    refuse({ cursor: 'is none of ours; take meta.next_cursor of the page before' })
  }
  return { app_id, from, to, page, limit, cursor }
}

/** All visits under one id. */
function together(rows: RumVisitRow[]): RumVisitRow | undefined {
  const [first, ...others] = rows.toSorted((a, b) => a.number - b.number)
  return others.reduce<RumVisitRow | undefined>(
    (all, each) =>
      all && {
        ...each,
        started_at: all.started_at,
        last_seen_at: Math.max(all.last_seen_at, each.last_seen_at),
        page_count: all.page_count + each.page_count,
        event_count: all.event_count + each.event_count,
        error_count: all.error_count + each.error_count,
        referrer: all.referrer ?? each.referrer,
      },
    first,
  )
}

function sessionView(row: RumVisitRow): RumSession {
  return {
    session_id: row.session_id,
    started_at: iso(row.started_at),
    last_seen_at: iso(row.last_seen_at),
    page_count: row.page_count,
    event_count: row.event_count,
    error_count: row.error_count,
    browser: row.browser,
    os: row.os,
    device: row.device,
    referrer: row.referrer,
  }
}
