import type { QuotaName } from '@watchpost/contract'
import {
  appById,
  ConflictError,
  dayName,
  forgetUsageFolds,
  moveUsageFold,
  type Step,
  startUsageFold,
  usageFolds,
} from '@watchpost/store'
import { countedSteps, type OfApp, readBudget } from '../api/usage-steps.ts'
import type { Context } from '../context.ts'
import type { Counted, Delta } from './protocol.ts'

const dayMs = 86_400_000
/** How long counts wait for others: each time the main store is written, and everybody waits for the disk. */
const foldEveryMs = 5000
/** Where there is a limit, somebody may have to be told. */
const foldSoonMs = 300

/**
 * Adds what the days' files have counted to the usage of the apps, each commit of theirs once: the mark of what was added
 * is in the commit that adds it.
 */
export class Folder {
  private readonly context: Pick<Context, 'db' | 'now' | 'log' | 'eventCommitted' | 'config'>
  private waiting: Counted[] = []
  private folding: Promise<void> | undefined
  private soon = false
  private timer: NodeJS.Timeout | undefined

  constructor(context: Pick<Context, 'db' | 'now' | 'log' | 'eventCommitted' | 'config'>) {
    this.context = context
  }

  add(counted: Counted[]): void {
    if (counted.length === 0) return
    this.waiting.push(...counted)
    const isSoon = counted.some(({ deltas }) => deltas.some(({ limited }) => limited))
    if (isSoon && !this.soon) {
      clearTimeout(this.timer)
      this.timer = undefined
      this.soon = true
    }
    this.timer ??= setTimeout(
      () => {
        this.settle().catch(error => this.context.log.error({ err: error }, 'usage is not counted yet; trying again'))
      },
      isSoon ? foldSoonMs : foldEveryMs,
    )
  }

  /** Resolves once everything that was added by now is counted. */
  async settle(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    this.soon = false
    while (this.waiting.length > 0 || this.folding !== undefined) {
      this.folding ??= this.fold().finally(() => {
        this.folding = undefined
      })
      await this.folding
    }
  }

  private async fold(): Promise<void> {
    const counted = this.waiting
    this.waiting = []
    try {
      for (const day of new Set(counted.map(({ day }) => day))) {
        await this.foldDay(
          day,
          counted.filter(each => each.day === day),
        )
      }
    } catch (error) {
      this.add(counted)
      throw error
    }
  }

  /** Top-ups and settings change at the same time: decided anew then. */
  private async foldDay(day: number, all: Counted[]): Promise<void> {
    const { db, eventCommitted } = this.context
    for (;;) {
      const before = (await db.all(usageFolds, {})).find(each => each.day === day)?.seq
      if (before === undefined) {
        await this.begin(day)
        continue
      }
      const fresh = all.filter(({ seq }) => seq > before)
      const seq = Math.max(before, ...fresh.map(each => each.seq))
      if (seq === before) return
      const { steps, events } = await this.steps(fresh.flatMap(({ deltas }) => deltas))
      const mark = { query: moveUsageFold, params: { day, seq, seq_before: before }, expect: 1 }
      try {
        await db.commit([mark, ...steps, ...events])
      } catch (error) {
        if (error instanceof ConflictError) continue
        throw error
      }
      if (events.length > 0) eventCommitted()
      return
    }
  }

  /** The mark of a new day. Those of days whose files have long gone are forgotten: all of them are read for each commit. */
  private async begin(day: number): Promise<void> {
    const { db, now, config } = this.context
    const gone = dayName(now() - 2 * config.telemetry.days.telemetry * dayMs)
    await db.commit([
      { query: startUsageFold, params: { day } },
      { query: forgetUsageFolds, params: { day: gone } },
    ])
  }

  private async steps(deltas: Delta[]): Promise<{ steps: Step[]; events: Step[] }> {
    const { db, now } = this.context
    const all: { steps: Step[]; events: Step[] } = { steps: [], events: [] }
    for (const group of groups(deltas)) {
      const { team_id, app_id, period } = group[0] as Delta
      const row = await db.one(appById, { team_id, id: app_id })
      // Of an app that was deleted meanwhile nothing is counted.
      if (row === undefined) continue
      const app: OfApp = { team_id, id: app_id, name: row.name }
      const budget = await readBudget(db, app, Math.min(now(), Date.parse(`${period}-28T00:00:00Z`)))
      const made = countedSteps({ ...budget, period }, sums(group), now())
      all.steps.push(...made.steps)
      all.events.push(...made.events)
    }
    return all
  }
}

function groups(deltas: Delta[]): Delta[][] {
  return Object.values(Object.groupBy(deltas, ({ app_id, period }) => `${app_id} ${period}`)) as Delta[][]
}

function sums(deltas: Delta[]): Partial<Record<QuotaName, { inPlan: number; fromTopUp: number }>> {
  const sums: Partial<Record<QuotaName, { inPlan: number; fromTopUp: number }>> = {}
  for (const { quota, amount, from_top_up } of deltas) {
    const { inPlan, fromTopUp } = sums[quota] ?? { inPlan: 0, fromTopUp: 0 }
    sums[quota] = { inPlan: inPlan + amount, fromTopUp: fromTopUp + from_top_up }
  }
  return sums
}
