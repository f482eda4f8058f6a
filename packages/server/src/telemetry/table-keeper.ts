import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  answeredTelemetryRequests,
  ConflictError,
  ConstraintError,
  type Days,
  type Db,
  dayName,
  daysInTables,
  forgetTelemetryRequests,
  lostTelemetryRequests,
  type Step,
  takeTelemetryRequests,
} from '@watchpost/store'
import { readBudget, reservation } from '../api/usage-steps.ts'
import { BlockIds } from './block-ids.ts'
import { blockSteps } from './block-steps.ts'
import type { Entry } from './entry.ts'
import { followKept } from './follow-kept.ts'
import type { Keeper } from './keeper.ts'
import type { MetricKeeper } from './metric-keeper.ts'
import type { Answer, Counted } from './protocol.ts'
import { byApp, leaveOut, shareOut } from './share-out.ts'

/** How long a request may take to come again. */
const heldMs = 300_000
/** A living replica has told by then that its answers arrived. */
const answeredWithinMs = 1000
const attempts = 50
/** Most requests whose connection goes were refused, and are never kept. */
const mostGone = 10_000

/**
 * Keeps telemetry in tables of the day, in one transaction with what it counts. Requests whose answers have not arrived stand
 * in a table, so that every replica knows one that comes again.
 */
export class TableKeeper implements Keeper {
  private readonly db: Db
  private readonly days: Days
  private readonly pointDays: Days
  private readonly metrics: MetricKeeper
  private readonly now: () => number
  private readonly eventCommitted: () => void
  private readonly ids = new BlockIds()
  private readonly replica = randomInt(1, 2 ** 47)
  /** Requests whose connection has gone, by their numbers. */
  private readonly gone = new Set<number>()

  constructor(db: Db, metrics: MetricKeeper, now: () => number, eventCommitted: () => void) {
    this.db = db
    this.days = daysInTables(db, 'telemetry')
    this.pointDays = daysInTables(db, 'points')
    this.metrics = metrics
    this.now = now
    this.eventCommitted = eventCommitted
  }

  async open(): Promise<Counted[]> {
    await this.db.commit([{ query: forgetTelemetryRequests, params: { before: this.now() - heldMs } }])
    await followKept(this.days, this.ids, this.pointDays, this.metrics.ids)
    return []
  }

  async keep(entries: Entry[]): Promise<{ answers: Answer[]; counted: Counted[] }> {
    const taken = await this.takeAgain(entries)
    const answers: Answer[] = []
    const fresh: Entry[] = []
    const again: Entry[] = []
    for (const entry of entries) {
      const rejected = taken.get(entry.hash)?.shift()
      if (rejected === undefined) fresh.push(entry)
      else {
        again.push(entry)
        answers.push({ id: entry.id, status: 200, rejected, reason: rejected > 0 ? 'Kept before' : '' })
      }
    }
    const kept = await Promise.all(byApp(fresh).map(group => this.keepGroup(group)))
    // What is kept is answered so, also where this cannot be noted: refused, all of them would come again.
    await this.noteLost(entries, again, answers).catch(() => undefined)
    return { answers: [...answers, ...kept.flat()], counted: [] }
  }

  /** Answers to what came again may be lost, too; and some connections had gone before they were kept. */
  private async noteLost(entries: Entry[], again: Entry[], answers: Answer[]): Promise<void> {
    if (again.length > 0) await this.db.append('telemetry_requests', this.requestRows(again, answers, this.now()), [])
    const ids = entries.map(({ id }) => id).filter(id => this.gone.delete(id))
    if (ids.length > 0) await this.db.commit([this.markLost(ids)])
  }

  private markLost(ids: number[]): Step {
    return { query: lostTelemetryRequests, params: { replica: this.replica, ids } }
  }

  private async takeAgain(entries: Entry[]): Promise<Map<string, number[]>> {
    const now = this.now()
    const params = {
      hashes: entries.map(({ hash }) => hash),
      replica: this.replica,
      since: now - heldMs,
      before: now - answeredWithinMs,
    }
    const [rows = []] = await this.db.commit([{ query: takeTelemetryRequests, params }])
    const again = new Map<string, number[]>()
    for (const { hash, rejected } of rows as { hash: string; rejected: number }[]) {
      again.set(hash, [...(again.get(hash) ?? []), rejected])
    }
    return again
  }

  /** Requests of one app; others of its requests may be counted at the same moment, elsewhere: decided anew then. */
  private async keepGroup(group: Entry[]): Promise<Answer[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.tryGroup(group)
      } catch (error) {
        const again = error instanceof ConflictError || error instanceof ConstraintError
        if (!again || attempt === attempts) return this.unkept(group, error)
        if (attempt > 3) await sleep(Math.random() * 5 * attempt)
      }
    }
  }

  /** One app's trouble is not another's. */
  private unkept(group: Entry[], error: unknown): Answer[] {
    const reason = `It could not be kept: ${(error as Error).message}`
    return group.map(({ id }) => ({ id, status: 503, rejected: 0, reason }))
  }

  private async tryGroup(group: Entry[]): Promise<Answer[]> {
    const now = this.now()
    const day = dayName(now)
    const { app } = group[0] as Entry
    const isCounted = group.some(({ signal }) => signal !== 'metrics')
    const budget = isCounted ? await readBudget(this.db, app, now) : undefined
    const share = shareOut(group, budget)
    const { steps, events } = budget === undefined ? { steps: [], events: [] } : reservation(budget, share.wanted, now)
    await this.days.make(day)
    if (share.points.length > 0) await this.pointDays.make(day)
    const points = await this.metrics.steps(app.id, share.points, day, now)
    const blocks = blockSteps(app.id, day, share, this.ids, now)
    leaveOut(share, points.refused, points.reason)
    const all: Step[] = [...steps, ...events, ...blocks, ...points.steps]
    const requests = this.requestRows(group, share.answers, now)
    if (requests.length > 0) await this.db.append('telemetry_requests', requests, all)
    else if (all.length > 0) await this.db.commit(all)
    if (events.length > 0) this.eventCommitted()
    return share.answers
  }

  /** Of the requests that something was kept of. */
  private requestRows(group: Entry[], answers: Answer[], now: number) {
    const byId = new Map(answers.map(answer => [answer.id, answer]))
    return group.flatMap(({ id, hash }) => {
      const answer = byId.get(id)
      if (answer?.status !== 200) return []
      return [{ replica: this.replica, id, hash, kept_at: now, rejected: answer.rejected, lost: 0 }]
    })
  }

  async answered(ids: number[]): Promise<void> {
    await this.db.commit([{ query: answeredTelemetryRequests, params: { replica: this.replica, ids } }])
  }

  async lost(ids: number[]): Promise<void> {
    // Not kept yet, or never: told once it is.
    if (this.gone.size > mostGone) this.gone.clear()
    for (const id of ids) this.gone.add(id)
    const [rows = []] = await this.db.commit([this.markLost(ids)])
    for (const { id } of rows as { id: number }[]) this.gone.delete(id)
  }

  async close(): Promise<void> {
    await this.metrics.close()
    await this.db.close()
  }
}
