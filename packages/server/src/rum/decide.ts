import type { QuotaName } from '@watchpost/contract'
import type { RumVisitRow } from '@watchpost/store'
import type { Budget, Wanted } from '../api/usage-steps.ts'
import type { Client } from '../domain/user-agent.ts'
import { numberOf, type RumItem } from './item.ts'

/** A visit that nothing is heard of for so long is over: its id begins another (ruling 32). */
export const idleMs = 1_800_000

/** A request whose events wait to be kept. */
export interface RumSent {
  items: RumItem[]
  client: Client
}

/** What is there already. */
export interface KnownRum {
  /** Types of events by their ids. */
  today: ReadonlyMap<string, number>
  yesterday: ReadonlyMap<string, number>
  visits: readonly RumVisitRow[]
}

/** A visit that begins or goes on. */
export interface VisitChange {
  session_id: string
  number: number
  client: Client
  referrer: string | null
  /** What it was; undefined where it begins. */
  before: { period: string } | undefined
  pages: number
  events: number
  errors: number
}

export interface Exceeded {
  quota: QuotaName
  limit: number
  used: number
  resetAt: number
}

/** What became of a request. */
export interface RumOutcome {
  accepted: number
  duplicates: number
  /** Positions of what did not fit, and into which quota. */
  over: { position: number; quota: QuotaName }[]
  exceeded: Exceeded | undefined
}

export interface RumDecision {
  outcomes: RumOutcome[]
  rows: RumItem[]
  /** New values of vitals that are known, and in which day's table they stand. */
  updates: { day: 'today' | 'yesterday'; item: RumItem }[]
  visits: VisitChange[]
  wanted: Wanted
}

/** A visit as it stands in the middle of a decision. */
interface Standing {
  change: VisitChange
  counted: boolean
}

/** Decides, in the order of arrival, what is new, which visits it belongs to, and what of it fits into the quotas. */
export function decide(sent: readonly RumSent[], known: KnownRum, budget: Budget, now: number): RumDecision {
  const last = lastVisits(known.visits)
  const standings = new Map<string, Standing>()
  const fresh = new Map<string, RumItem>()
  const updates = new Map<string, RumDecision['updates'][number]>()
  const rows: RumItem[] = []
  const wanted = { rum_sessions: 0, rum_events: 0 }
  const room = { rum_sessions: roomOf(budget, 'rum_sessions'), rum_events: roomOf(budget, 'rum_events') }

  const standingOf = (session_id: string, client: Client): Standing => {
    let standing = standings.get(session_id)
    if (standing !== undefined) return standing
    const row = last.get(session_id)
    const lives = row !== undefined && now - row.last_seen_at < idleMs
    const change: VisitChange = {
      session_id,
      number: row === undefined ? 1 : lives ? row.number : row.number + 1,
      client,
      referrer: null,
      before: lives ? { period: row.period } : undefined,
      pages: 0,
      events: 0,
      errors: 0,
    }
    standing = { change, counted: lives && row.period === budget.period }
    standings.set(session_id, standing)
    return standing
  }

  /** @returns whether it was known */
  const seenBefore = (item: RumItem): boolean => {
    if (item.id === null) return false
    const isVital = item.type === numberOf.web_vital
    const twin = fresh.get(item.id)
    if (twin !== undefined) {
      if (isVital && twin.type === item.type) Object.assign(twin, { value: item.value, data: item.data })
      return true
    }
    const day = known.today.has(item.id) ? 'today' : known.yesterday.has(item.id) ? 'yesterday' : undefined
    if (day === undefined) return false
    if (isVital && known[day].get(item.id) === item.type) updates.set(item.id, { day, item })
    return true
  }

  const outcomes = sent.map(({ items, client }): RumOutcome => {
    const outcome: RumOutcome = { accepted: 0, duplicates: 0, over: [], exceeded: undefined }
    for (const item of items) {
      const standing = item.session_id === null ? undefined : standingOf(item.session_id, client)
      const isStart = item.type === numberOf.session_start
      if (seenBefore(item) || (isStart && standing?.counted === true)) {
        outcome.duplicates++
        continue
      }
      const visits = standing === undefined || standing.counted ? 0 : 1
      const events = isStart ? 0 : 1
      const full = visits > room.rum_sessions ? 'rum_sessions' : events > room.rum_events ? 'rum_events' : undefined
      if (full !== undefined) {
        outcome.over.push({ position: item.position, quota: full })
        outcome.exceeded ??= exceededOf(budget, full, wanted[full])
        continue
      }
      room.rum_sessions -= visits
      room.rum_events -= events
      wanted.rum_sessions += visits
      wanted.rum_events += events
      outcome.accepted++
      rows.push(item)
      if (item.id !== null) fresh.set(item.id, item)
      if (standing !== undefined) see(standing, item)
    }
    return outcome
  })
  // What was refused is not seen, but a visit that is alive is, whatever is heard of it.
  const visits = [...standings.values()].filter(({ counted }) => counted).map(({ change }) => change)
  visits.sort((a, b) => (a.session_id < b.session_id ? -1 : 1))
  return { outcomes, rows, updates: [...updates.values()], visits, wanted }
}

function see(standing: Standing, { type, referrer }: RumItem): void {
  const { change } = standing
  standing.counted = true
  change.referrer ??= referrer
  if (type === numberOf.page_load) change.pages++
  if (type === numberOf.error) change.errors++
  if (type !== numberOf.session_start) change.events++
}

function lastVisits(rows: readonly RumVisitRow[]): Map<string, RumVisitRow> {
  const last = new Map<string, RumVisitRow>()
  for (const row of rows) if (row.number > (last.get(row.session_id)?.number ?? 0)) last.set(row.session_id, row)
  return last
}

/** What may still be used of a quota, with its top-up. */
function roomOf({ quotas }: Budget, quota: QuotaName): number {
  const { limit, row, topUp } = quotas[quota]
  return limit === null ? Number.POSITIVE_INFINITY : Math.max(0, limit - (row?.used ?? 0)) + topUp.balance
}

function exceededOf(budget: Budget, quota: QuotaName, taken: number): Exceeded {
  const { limit, row } = budget.quotas[quota]
  const used = row?.used ?? 0
  return { quota, limit: limit ?? 0, used: Math.max(used, Math.min(limit ?? 0, used + taken)), resetAt: budget.resetAt }
}
