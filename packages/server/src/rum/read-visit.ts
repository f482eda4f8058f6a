import { type RumVisitEvent, rumTypes } from '@watchpost/contract'
import type { Db, RumEventRow } from '@watchpost/store'
import { iso } from '../api/time.ts'
import { cursorOf, readCursor } from '../telemetry/slices.ts'
import { numberOf } from './item.ts'
import { eachDay } from './read-rum.ts'

/** Where a part of a visit begins: at a moment, after so many events of that moment. */
export interface Place {
  after: number
  skip: number
}

export const beginning: Place = { after: 0, skip: 0 }

export interface VisitSearch extends Place {
  app_id: number
  session_id: string
  /** When the first event of it arrived, and the last. */
  started_at: number
  last_seen_at: number
  limit: number
}

export interface RumEvents {
  events: RumVisitEvent[]
  next_cursor: string | null
  complete: boolean
}

/** Events of one millisecond that are told apart; beyond it the next millisecond is gone on with. */
const mostAtOnce = 10_000

/** @returns undefined for what is no cursor of ours */
export function readPlace(cursor: string): Place | undefined {
  const [after, key] = readCursor(cursor) ?? []
  const skip = Number(key)
  const isOurs = Number.isSafeInteger(after) && Number.isSafeInteger(skip) && skip >= 0 && skip <= mostAtOnce
  return isOurs ? { after: after as number, skip } : undefined
}

/** A part of what happened in a visit, oldest first. */
export async function readRumVisit(db: Db, search: VisitSearch): Promise<RumEvents> {
  const { app_id, session_id, started_at, last_seen_at, after, skip, limit } = search
  const days: RumEventRow[][] = []
  const params = { app_id, session_id, after, limit: skip + limit + 1 }
  // Nothing arrives before it happens.
  const range = { from: Math.max(started_at, after), to: last_seen_at }
  const seen = await eachDay(db, range, async day => {
    days.push(await db.all(day.ofVisit, params))
    return true
  })
  // Days are of arrival: what was sent late may have happened before. Of one moment they keep their order.
  const all = days
    .toReversed()
    .flat()
    .sort((a, b) => a.at - b.at)
  const end = skip + limit
  const shown = all.slice(skip, end)
  const last = shown.at(-1)
  if (last === undefined || all.length <= end) return { events: shown.map(view), next_cursor: null, complete: seen }
  const told = all.slice(0, end).filter(({ at }) => at === last.at).length
  const isCrowded = told > mostAtOnce
  const next_cursor = isCrowded ? cursorOf(last.at + 1, '0') : cursorOf(last.at, String(told))
  return { events: shown.map(view), next_cursor, complete: seen && !isCrowded }
}

function view({ at, type, page, name, value, data }: RumEventRow): RumVisitEvent {
  const { trace_id, ...rest } = JSON.parse(data) as Partial<RumVisitEvent>
  const trace = trace_id?.toLowerCase() ?? ''
  const isTimed = type === numberOf.page_load || type === numberOf.network
  return {
    type: rumTypes[type] as RumVisitEvent['type'],
    timestamp: iso(at),
    page,
    trace_id: /^(?!0{32})[0-9a-f]{32}$/.test(trace) ? trace : null,
    // Of an error the name of its group stands there.
    ...(name === '' ? {} : type === numberOf.error ? { fingerprint: name } : { name }),
    ...(value === null ? {} : isTimed ? { duration_ms: value } : { value }),
    ...rest,
  }
}
