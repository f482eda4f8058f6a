import { hash } from 'node:crypto'
import type { RumErrorGroup, RumPage, RumVital, SliceMeta } from '@watchpost/contract'
import { type Db, dayName, type RumDay, type RumErrorRow, rumDay, rumDays } from '@watchpost/store'
import { iso } from '../api/time.ts'
import { percentiles, ratings, type Spread } from '../domain/vitals.ts'
import { cursorOf, readCursor } from '../telemetry/slices.ts'
import { numberOf } from './item.ts'

/** What is looked for, with times in epoch ms. */
export interface RumSearch {
  app_id: number
  from: number
  to: number
  page: string | undefined
  /** Fingerprint of one. */
  error?: string | undefined
  /** Of a vital. */
  name?: string | undefined
  /** Seconds of each stretch. */
  step?: number | undefined
  limit: number
  cursor: string | undefined
}

interface Slice<T> {
  rows: T[]
  meta: SliceMeta
}

/** Time that one question may take, and rows and values of a day that it may look at; beyond it the oldest days are left out. */
const budgetMs = 2000
const mostRows = 300_000
const mostValues = 1_000_000
const dayMs = 86_400_000
const shares = [0.5, 0.75, 0.95]
const everything = Number.MAX_SAFE_INTEGER

/** Values of one page, name and stretch. */
interface Group {
  slot: number
  page: string
  name: string
  count: number
  spread: Spread
}

export async function readRumVitals(db: Db, search: RumSearch): Promise<Slice<RumVital>> {
  const { groups, complete } = await readGroups(db, search, numberOf.web_vital)
  const wanted = search.name === undefined ? groups : groups.filter(({ name }) => name === search.name)
  const rows = wanted.flatMap(({ slot, page, name, count, spread }) => {
    const [p50, p75, p95] = percentiles(spread, shares) ?? []
    if (p50 === undefined || p75 === undefined || p95 === undefined) return []
    return [{ ...stretch(slot, search), name, page, p50, p75, p95, ...ratings(name, spread), count }]
  })
  rows.sort((a, b) => inTime(a, b) || b.count - a.count || order(a.page, b.page) || order(a.name, b.name))
  return sliceOf(rows, search, complete, ({ timestamp, page, name }) => `${timestamp} ${page} ${name}`)
}

export async function readRumPages(db: Db, search: RumSearch): Promise<Slice<RumPage>> {
  const { groups, complete } = await readGroups(db, search, numberOf.page_load)
  const rows = groups.map(({ slot, page, count, spread }) => {
    const [p50 = null, p75 = null, p95 = null] = percentiles(spread, shares) ?? []
    return { ...stretch(slot, search), page, count, p50, p75, p95 }
  })
  rows.sort((a, b) => inTime(a, b) || (b.p75 ?? -1) - (a.p75 ?? -1) || b.count - a.count || order(a.page, b.page))
  return sliceOf(rows, search, complete, ({ timestamp, page }) => `${timestamp} ${page}`)
}

export async function readRumErrors(db: Db, search: RumSearch): Promise<Slice<RumErrorGroup>> {
  const found = new Map<string, RumErrorRow & { sessions: Set<string>; day: RumDay }>()
  const params = paramsOf(search, numberOf.error)
  const such = { ...params, name: search.error ?? null, most: mostRows }
  const complete = await eachDay(db, search, async day => {
    const rows = await db.all(day.errors, such)
    for (const row of rows) {
      const group = found.get(row.name)
      if (group === undefined) found.set(row.name, { ...row, sessions: new Set(), day })
      else {
        // Days are days of arrival, not of what happened.
        if (row.last_at > group.last_at) Object.assign(group, { last_at: row.last_at, day })
        group.first_at = Math.min(group.first_at, row.first_at)
        group.count += row.count
      }
    }
    const visits = await db.all(day.errorSessions, such)
    for (const { name, session_id } of visits) found.get(name)?.sessions.add(session_id)
    return rows.length < mostRows && visits.length < mostRows
  })
  const groups = [...found.values()]
  groups.sort((a, b) => b.count - a.count || b.last_at - a.last_at || order(a.name, b.name))
  const { rows, meta } = sliceOf(groups, search, complete, ({ name }) => name)
  const { from: _from, to: _to, ...which } = params
  const samples = await Promise.all(
    rows.map(({ day, name, last_at }) => db.one(day.sample, { ...which, name, at: last_at })),
  )
  return { rows: rows.map((group, index) => errorGroup(group, samples[index])), meta }
}

function errorGroup(
  { name: fingerprint, count, first_at, last_at, sessions }: RumErrorRow & { sessions: Set<string> },
  sample: { page: string; data: string } | undefined,
): RumErrorGroup {
  const { name = null, message = '', stack = null } = JSON.parse(sample?.data ?? '{}')
  return {
    fingerprint,
    name,
    message,
    stack,
    page: sample?.page ?? '',
    count,
    session_count: sessions.size,
    first_seen_at: iso(first_at),
    last_seen_at: iso(last_at),
  }
}

async function readGroups(db: Db, search: RumSearch, type: number): Promise<{ groups: Group[]; complete: boolean }> {
  const found = new Map<string, Group>()
  const step = search.step === undefined ? everything : search.step * 1000
  const complete = await eachDay(db, search, async day => {
    const rows = await db.all(day.values, { ...paramsOf(search, type), step, most: mostValues })
    let seen = 0
    for (const { slot, page, name, list, count } of rows) {
      // Names of page loads are nobody's concern here.
      const key = `${slot} ${page} ${type === numberOf.web_vital ? name : ''}`
      const group = found.get(key) ?? { slot, page, name, count: 0, spread: new Map() }
      found.set(key, group)
      group.count += count
      seen += count
      for (const text of list?.split(',') ?? []) {
        const value = Number(text)
        group.spread.set(value, (group.spread.get(value) ?? 0) + 1)
      }
    }
    return seen < mostValues
  })
  return { groups: [...found.values()], complete }
}

export const paramsOf = (
  { app_id, from, to, page }: Pick<RumSearch, 'app_id' | 'from' | 'to' | 'page'>,
  type: number,
) => ({
  app_id,
  type,
  from,
  to,
  page: page ?? null,
})

/**
 * Goes through the days in which something of the range may have arrived, newest first.
 * @param look whether it saw all of the day
 * @returns whether everything was seen
 */
export async function eachDay(
  db: Db,
  { from, to }: Pick<RumSearch, 'from' | 'to'>,
  look: (statements: RumDay, day: number) => Promise<boolean>,
): Promise<boolean> {
  const until = performance.now() + budgetMs
  // What happened may arrive up to a day later.
  const [first, last] = [dayName(from), dayName(to + dayMs)]
  const days = (await db.all(rumDays, {})).filter(({ day }) => day >= first && day <= last)
  for (const [index, { day }] of days.entries()) {
    if (index > 0 && performance.now() > until) return false
    if (!(await look(rumDay(day), day))) return false
  }
  return true
}

const stretch = (slot: number, { step }: RumSearch) =>
  step === undefined ? {} : { timestamp: iso(slot * step * 1000) }

const inTime = (a: { timestamp?: string }, b: { timestamp?: string }) => order(a.timestamp ?? '', b.timestamp ?? '')
const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** A part of the rows, after what the cursor names; where that is gone, after its place. */
function sliceOf<T>(rows: T[], { limit, cursor }: RumSearch, complete: boolean, keyOf: (row: T) => string): Slice<T> {
  const name = (row: T) => hash('sha1', keyOf(row)).slice(0, 16)
  const [place, last] = (cursor === undefined ? undefined : readCursor(cursor)) ?? [0, '']
  const index = cursor === undefined ? -1 : rows.findIndex(row => name(row) === last)
  const from = index < 0 ? place : index + 1
  const part = rows.slice(from, from + limit)
  const end = part.at(-1)
  const goesOn = end !== undefined && from + part.length < rows.length
  return { rows: part, meta: { next_cursor: goesOn ? cursorOf(from + part.length, name(end)) : null, complete } }
}
