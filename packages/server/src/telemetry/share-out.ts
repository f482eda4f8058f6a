import type { QuotaName } from '@watchpost/contract'
import type { Budget } from '../api/usage-steps.ts'
import type { Point } from '../ingest/rows.ts'
import { allot, quotaOf } from './allot.ts'
import type { Entry } from './entry.ts'
import type { LogPart } from './prepared-logs.ts'
import type { SpanPart } from './prepared-spans.ts'
import type { Answer, Exceeded } from './protocol.ts'

/** What of some requests of one app is kept, and what each is answered. */
export interface Share {
  entries: Entry[]
  answers: Answer[]
  spans: SpanPart[]
  logs: LogPart[]
  points: Point[]
  /** What is counted of each quota. */
  wanted: Partial<Record<QuotaName, number>>
}

/**
 * Decides in the order of arrival what fits into the quotas of an app (ruling 29).
 * @param budget undefined where nothing of it is counted
 */
export function shareOut(entries: Entry[], budget: Budget | undefined): Share {
  const share: Share = { entries, answers: [], spans: [], logs: [], points: [], wanted: {} }
  for (const entry of entries) {
    const { id, items, signal } = entry
    const quota = quotaOf[signal]
    let kept = items
    if (quota !== undefined && budget !== undefined) {
      const used = share.wanted[quota] ?? 0
      const room = roomOf(budget, quota)
      const weight = signal === 'logs' ? entry.bytes : items
      const allotted = allot({ items, weight }, room === null ? null : room - used)
      kept = allotted.kept
      if (allotted.amount > 0) share.wanted[quota] = used + allotted.amount
      if (kept === 0 && items > 0) {
        share.answers.push(exceededAnswer(id, budget, quota, used))
        continue
      }
    }
    take(share, entry, kept)
    const over = items - kept
    const reason = over > 0 ? `The monthly quota ${quota} is used up` : entry.reason
    share.answers.push({ id, status: 200, rejected: entry.rejected + over, reason })
  }
  return share
}

function take(share: Share, { content }: Entry, kept: number): void {
  const { spans, logs, points } = content
  if (spans !== undefined && kept > 0) share.spans.push({ prepared: spans, from: 0, to: kept })
  if (logs !== undefined && kept > 0) share.logs.push({ prepared: logs, from: 0, to: kept })
  if (points !== undefined) for (let at = 0; at < kept; at++) share.points.push(points[at] as Point)
}

/** What may still be used of a quota, with its top-up; null for any amount. */
function roomOf({ quotas }: Budget, quota: QuotaName): number | null {
  const { limit, row, topUp } = quotas[quota]
  return limit === null ? null : Math.max(0, limit - (row?.used ?? 0)) + topUp.balance
}

/** Tells of points that are left out, by their places among all of them. */
export function leaveOut(share: Share, refused: ReadonlySet<number>, reason: string): void {
  if (refused.size === 0) return
  const byId = new Map<number, number>()
  let place = 0
  for (const { id, content } of share.entries) {
    for (const end = place + (content.points?.length ?? 0); place < end; place++) {
      if (refused.has(place)) byId.set(id, (byId.get(id) ?? 0) + 1)
    }
  }
  share.answers = share.answers.map(answer => {
    const more = byId.get(answer.id)
    return more === undefined ? answer : { ...answer, rejected: answer.rejected + more, reason }
  })
}

function exceededAnswer(id: number, budget: Budget, quota: QuotaName, taken: number): Answer {
  const { limit, row } = budget.quotas[quota]
  const used = Math.min(limit ?? 0, (row?.used ?? 0) + taken)
  const exceeded: Exceeded = { quota, limit: limit ?? 0, used: Math.max(used, row?.used ?? 0), resetAt: budget.resetAt }
  return { id, status: 429, rejected: 0, reason: `The monthly quota ${quota} is used up`, exceeded }
}

/** Requests by whose they are, each app's in their order. */
export function byApp(entries: Entry[]): Entry[][] {
  const groups = new Map<number, Entry[]>()
  for (const entry of entries) {
    const group = groups.get(entry.app.id)
    if (group === undefined) groups.set(entry.app.id, [entry])
    else group.push(entry)
  }
  return [...groups.values()]
}
