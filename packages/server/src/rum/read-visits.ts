import { type Db, dayName, type RumFoundRow, type RumVisitRow } from '@watchpost/store'
import { numberOf } from './item.ts'
import { eachDay, paramsOf, type RumSearch } from './read-rum.ts'

/** Visits in which an error happened, or a page was loaded, before a place in their order. */
export interface VisitsSearch extends Pick<RumSearch, 'app_id' | 'from' | 'to' | 'page' | 'error' | 'limit'> {
  before: number
  before_id: string
}

export interface FoundVisits {
  visits: RumVisitRow[]
  complete: boolean
}

/** Events of a day that are looked at: each is one of a visit that must be found. */
const mostEvents = 100_000

/** The newest, as many as the limit says. */
export async function readRumVisits(db: Db, search: VisitsSearch): Promise<FoundVisits> {
  const { error, limit, before, before_id } = search
  const type = error === undefined ? numberOf.page_load : numberOf.error
  const params = { ...paramsOf(search, type), name: error ?? null, before, before_id, limit, most: mostEvents }
  const found = new Map<string, RumVisitRow>()
  let visits: RumVisitRow[] = []
  const complete = await eachDay(db, search, async (statements, day) => {
    const last = visits[limit - 1]
    // Whatever came in by the end of a day belongs to visits that had begun by then.
    if (last !== undefined && dayName(last.started_at) > day) return true
    const rows = await db.all(statements.visitsWith, params)
    for (const row of rows) if (isVisit(row)) found.set(`${row.number} ${row.session_id}`, row)
    visits = [...found.values()].sort(newestFirst).slice(0, limit)
    return (rows[0]?.seen ?? 0) < mostEvents
  })
  return { visits, complete }
}

const isVisit = (row: RumFoundRow): row is RumFoundRow & RumVisitRow => row.session_id !== null

/** By bytes, as both stores order text: where a page ends there, the next begins. */
const newestFirst = (a: RumVisitRow, b: RumVisitRow) =>
  b.started_at - a.started_at || Buffer.compare(Buffer.from(b.session_id), Buffer.from(a.session_id))
