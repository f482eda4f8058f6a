import { setTimeout as sleep } from 'node:timers/promises'
import type { MonitorStatus, MonitorStatusChanged } from '@watchpost/contract'
import {
  ConflictError,
  checkAgain,
  type Step,
  settleAnnouncement,
  type UnannouncedRow,
  unannouncedMonitors,
} from '@watchpost/store'
import { verdictSteps } from '../api/automatic-incidents.ts'
import { eventStep } from '../api/event.ts'
import { plannedAt } from '../api/maintenance-windows.ts'
import { outageSteps } from '../api/outages.ts'
import { iso } from '../api/time.ts'
import type { Context } from '../context.ts'
import { announce } from '../domain/announcement.ts'

const idleMs = 1000
/** At the end of its maintenance a monitor is looked at once more: a restart may have ended between two checks. */
const defaultGraceMs = 10_000

/**
 * Tells receivers what maintenance kept from them and is still so when it is over. What is kept is a column of the
 * monitor's state, so neither a restart nor a window that was deleted loses it; that the state has not moved is part of the
 * commit, so of two replicas, or a replica and a result, one tells it.
 */
export class MaintenanceWorker {
  private readonly context: Context
  private readonly graceMs: number
  private readonly stopping = new AbortController()
  /** Until when a monitor that left maintenance may still show that it is well again. */
  private readonly waiting = new Map<number, number>()
  private running: Promise<void> | undefined

  constructor(context: Context, graceMs = defaultGraceMs) {
    this.context = context
    this.graceMs = graceMs
  }

  start(): void {
    this.running = this.loop()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  /** One look at everything that is not told yet. */
  async look(): Promise<void> {
    const { context, waiting } = this
    const now = context.now()
    await context.results.settle()
    const rows = await context.db.all(unannouncedMonitors, {})
    const left = rows.filter(({ team_id, id }) => !plannedAt(context, team_id, id, now))
    const ids = new Set(left.map(({ id }) => id))
    for (const id of waiting.keys()) if (!ids.has(id)) waiting.delete(id)
    // No result is judged by a count that this raises.
    await Promise.all(left.map(row => context.results.exclusively(row.id, () => this.settle(row, now))))
  }

  private async settle(row: UnannouncedRow, now: number): Promise<void> {
    const { db } = this.context
    const { team_id, id, seq } = row
    const until = this.waiting.get(id)
    try {
      if (until === undefined) {
        // Of two replicas one is told that the other was faster: it need not ask for a second check.
        this.waiting.set(id, now + this.graceMs)
        await db.commit([{ query: checkAgain, params: { team_id, id, seq, now }, expect: 1 }])
      } else if (now >= until) {
        await db.commit(await announcementSteps(this.context, row, now))
        this.context.eventCommitted()
      }
    } catch (error) {
      // A result came in between: it told what there was to tell, or the next look does.
      if (!(error instanceof ConflictError)) throw error
    }
  }

  private async loop(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await this.look()
      } catch (error) {
        if (this.stopping.signal.aborted) return
        this.context.log.error({ err: error }, 'what happened in maintenance is not told yet; trying again')
      }
      await sleep(idleMs, undefined, { signal: this.stopping.signal }).catch(() => undefined)
    }
  }
}

/** Had anybody seen it since, that result had told it, with its own reason. */
const notSeenSince = 'It was offline in maintenance, and has not been seen online since that is over.'

async function announcementSteps({ db }: Context, row: UnannouncedRow, now: number): Promise<Step[]> {
  const { team_id, id, seq } = row
  const told = { status: row.status, announced_status: row.announced_status } as {
    status: MonitorStatus
    announced_status: MonitorStatus
  }
  const { change } = announce(told, told.status, false)
  const settle: Step = { query: settleAnnouncement, params: { team_id, id, seq }, expect: 1 }
  if (change === null) return [settle]
  const error_message = change.new_status === 'offline' ? notSeenSince : null
  // What began in maintenance is an outage only from its end on.
  const incident = await verdictSteps(db, row, change.new_status, now, now)
  const outage = await outageSteps(db, row, change.new_status, { checked_at: now, sent: { error_message } }, now)
  const event: MonitorStatusChanged = {
    event: 'monitor.status_changed',
    timestamp: iso(now),
    data: {
      monitor_id: id,
      monitor_name: row.name,
      ...change,
      response_time: row.response_time_ms,
      error_message,
    },
  }
  return [settle, eventStep(team_id, event, now, { downSince: outage.since }), ...incident, ...outage.steps]
}
