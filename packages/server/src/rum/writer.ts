import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@watchpost/contract'
import {
  appById,
  ConflictError,
  ConstraintError,
  continueRumVisit,
  type Db,
  insertRumVisit,
  type KnownRumEvent,
  type RumDay,
  rumVisitsOf,
  type Step,
} from '@watchpost/store'
import { type OfApp, readBudget, reservation } from '../api/usage-steps.ts'
import type { Context } from '../context.ts'
import {
  decide,
  idleMs,
  type KnownRum,
  type RumDecision,
  type RumOutcome,
  type RumSent,
  type VisitChange,
} from './decide.ts'
import { RumTables } from './tables.ts'

/** Events of one commit, after which others have their turn: a few milliseconds. */
const mostAtOnce = 200
/** Bytes of bodies that wait or come in at most; beyond it is 503, before memory grows. */
const mostBytes = 33_554_432
const attempts = 50

interface Waiting extends RumSent {
  resolve(outcome: RumOutcome): void
  reject(error: unknown): void
}

/** Keeps events of browsers, and counts them in the same commit; requests of an app that come together share one. */
export class RumWriter {
  readonly tables: RumTables
  private readonly context: Pick<Context, 'db' | 'now' | 'log' | 'eventCommitted'>
  private readonly lanes = new Map<number, Waiting[]>()
  private readonly running = new Set<Promise<void>>()
  private bytes = 0

  constructor(context: Pick<Context, 'db' | 'now' | 'log' | 'eventCommitted'>) {
    this.context = context
    this.tables = new RumTables(context.db)
  }

  /** Room for a body until it is answered. @returns gives it back; undefined where there is none now */
  begin(bytes: number): (() => void) | undefined {
    if (this.bytes + bytes > mostBytes) return undefined
    this.bytes += bytes
    let held = bytes
    return () => {
      this.bytes -= held
      held = 0
    }
  }

  /** Resolves once what fits is durable. A large request goes in pieces, so that others have their turn between them. */
  async take(app: OfApp, { items, client }: RumSent): Promise<RumOutcome> {
    const whole: RumOutcome = { accepted: 0, duplicates: 0, over: [], exceeded: undefined }
    for (let from = 0; from < items.length; from += mostAtOnce) {
      const part = await this.takePart(app, { items: items.slice(from, from + mostAtOnce), client })
      whole.accepted += part.accepted
      whole.duplicates += part.duplicates
      whole.over.push(...part.over)
      whole.exceeded ??= part.exceeded
    }
    return whole
  }

  private takePart(app: OfApp, sent: RumSent): Promise<RumOutcome> {
    return new Promise((resolve, reject) => {
      const lane = this.lanes.get(app.id)
      if (lane !== undefined) {
        lane.push({ ...sent, resolve, reject })
        return
      }
      this.lanes.set(app.id, [{ ...sent, resolve, reject }])
      const running: Promise<void> = this.run(app).finally(() => this.running.delete(running))
      this.running.add(running)
    })
  }

  /** Resolves once nothing waits any more. */
  async settle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running)
  }

  /** One commit of an app after the other, so that its requests do not get in each other's way here. */
  private async run(app: OfApp): Promise<void> {
    const lane = this.lanes.get(app.id) as Waiting[]
    while (lane.length > 0) {
      // Whatever came in with the same turn goes along.
      await nextTurn()
      const group = take(lane)
      try {
        const outcomes = await this.keep(app, group)
        for (const [index, { resolve }] of group.entries()) resolve(outcomes[index] as RumOutcome)
      } catch (error) {
        if (!(error instanceof ApiError)) this.context.log.error({ err: error }, 'events of browsers could not be kept')
        const told = error instanceof ApiError ? error : new ApiError('unavailable', 'Not now', { retryAfter: 2 })
        for (const { reject } of group) reject(told)
      }
    }
    this.lanes.delete(app.id)
  }

  /** Others may count, or hear of the same visits, at the same moment elsewhere: decided anew then. */
  private async keep(app: OfApp, group: Waiting[]): Promise<RumOutcome[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.tryKeep(app, group)
      } catch (error) {
        if (!(error instanceof ConflictError) && !(error instanceof ConstraintError)) throw error
        const { team_id, id } = app
        if ((await this.context.db.one(appById, { team_id, id })) === undefined) {
          throw new ApiError('unauthorized', 'Unauthorized')
        }
        if (attempt === attempts) throw new ApiError('unavailable', 'Too many at once', { retryAfter: 1 })
        if (attempt > 3) await sleep(Math.random() * 5 * attempt)
      }
    }
  }

  private async tryKeep(app: OfApp, group: Waiting[]): Promise<RumOutcome[]> {
    const { db, now: clock } = this.context
    const now = clock()
    const { day, today, yesterday } = await this.tables.recent(now)
    const [known, budget] = await Promise.all([
      this.read(db, app.id, today, yesterday, group),
      readBudget(db, app, now),
    ])
    const decision = decide(group, known, budget, now)
    const { steps, events } = reservation(budget, decision.wanted, now)
    const rows = decision.rows.map(({ id, type, at, session_id, page, name, value, data }) => ({
      app_id: app.id,
      id,
      type,
      at,
      session_id,
      page,
      name,
      value,
      data,
    }))
    const all = [
      ...steps,
      ...events,
      ...updateSteps(app.id, decision, { today, yesterday }),
      ...decision.visits.map(visit => visitStep(app, visit, budget.period, now)),
    ]
    if (rows.length > 0) await db.append(`rum_events_${day}`, rows, all)
    else if (all.length > 0) await db.commit(all)
    if (events.length > 0) this.context.eventCommitted()
    return decision.outcomes
  }

  private async read(db: Db, app_id: number, today: RumDay, yesterday: RumDay, group: Waiting[]): Promise<KnownRum> {
    const items = group.flatMap(each => each.items)
    const ids = items.flatMap(({ id }) => id ?? [])
    const sessions = [...new Set(items.flatMap(({ session_id }) => session_id ?? []))]
    const known = async (day: RumDay) => (ids.length === 0 ? [] : db.all(day.known, { app_id, ids }))
    const [now, before, visits] = await Promise.all([
      known(today),
      known(yesterday),
      sessions.length === 0 ? [] : db.all(rumVisitsOf, { app_id, ids: sessions }),
    ])
    return { today: byId(now), yesterday: byId(before), visits }
  }
}

const byId = (rows: KnownRumEvent[]) => new Map(rows.map(({ id, type }) => [id, type]))

/** The first of them, as many as one commit takes. */
function take(lane: Waiting[]): Waiting[] {
  let events = 0
  let count = 0
  while (count < lane.length && (count === 0 || events + (lane[count] as Waiting).items.length <= mostAtOnce)) {
    events += (lane[count] as Waiting).items.length
    count++
  }
  return lane.splice(0, count)
}

function updateSteps(app_id: number, { updates }: RumDecision, days: Record<'today' | 'yesterday', RumDay>): Step[] {
  return updates.map(({ day, item: { id, value, data } }) => ({
    query: days[day].updateVital,
    params: { app_id, id, value, data },
  }))
}

function visitStep({ team_id, id: app_id }: OfApp, visit: VisitChange, period: string, now: number): Step {
  const { session_id, number, before, pages, events, errors, client, referrer } = visit
  const counted = { page_count: pages, event_count: events, error_count: errors }
  const counts = { app_id, session_id, number, period, at: now, ...counted }
  if (before === undefined) {
    const params = { ...counts, team_id, ...client, referrer }
    return { query: insertRumVisit, params, expect: 1 }
  }
  const params = { ...counts, period_before: before.period, alive_from: now - idleMs + 1 }
  return { query: continueRumVisit, params, expect: 1 }
}
