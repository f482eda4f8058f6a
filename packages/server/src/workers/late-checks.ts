import { type CheckResult, runId } from '@watchpost/contract'
import { ConflictError, countTeams, unwatchedProbes, type WatchedRow, watchedProbes } from '@watchpost/store'
import { takeId } from '../api/ids.ts'
import { instanceTeam } from '../api/probes.ts'
import { serverMonitorSteps } from '../api/server-monitors.ts'
import { iso } from '../api/time.ts'
import type { Context } from '../context.ts'
import { operatorsTeam } from '../domain/private-target.ts'
import { unsentCheck } from '../domain/server-monitor.ts'
import { Repeating } from './repeating.ts'

const everyMs = 5000
/** A turn that comes later than that after the one before: this server slept, or could not reach its store. */
const sleptMs = 15_000
const batch = 100

type Given = Pick<Context, 'db' | 'now' | 'results' | 'log'>

/** Watches the probes: who has not been heard from is late, and who has no monitor yet is given one. */
export class LateChecks {
  private readonly context: Given
  private readonly repeating: Repeating
  /** Since when this server has been able to hear probes. */
  private awakeSince = Number.POSITIVE_INFINITY
  private lastTurn = Number.NEGATIVE_INFINITY

  constructor(context: Given) {
    this.context = context
    this.repeating = new Repeating('checks of probes', everyMs, context.log, () => this.look())
  }

  start(): void {
    this.repeating.start()
  }

  stop(): Promise<void> {
    return this.repeating.stop()
  }

  /** One turn. */
  async look(): Promise<void> {
    const { db, now } = this.context
    const at = now()
    if (at - this.lastTurn > sleptMs) this.awakeSince = at
    await this.watchNewProbes()
    // Together: where a whole network is silent, its probes share a commit.
    await Promise.all((await db.all(watchedProbes, {})).map(row => this.lookAt(row, at)))
    this.lastTurn = at
  }

  private async lookAt(row: WatchedRow, now: number): Promise<void> {
    const { id: monitor_id, probe_id, last_seen_at } = row
    const check = unsentCheck({ ...row, options: JSON.parse(row.options) }, this.awakeSince, now)
    if (check === undefined) return
    const { status, due_at, nonce } = check
    const error_message = `The probe has not been heard from since ${iso(last_seen_at)}.`
    const result: CheckResult = {
      monitor_id,
      run_id: runId({ monitor_id, due_at, nonce }),
      status,
      checked_at: iso(check.checked_at),
      response_time_ms: null,
      ...(status === 'offline' ? { error_kind: 'timeout' as const, error_message } : {}),
    }
    // What is refused was deleted, or is too old by now.
    await this.context.results.accept({ team_id: instanceTeam, probe_id }, [result])
  }

  private async watchNewProbes(): Promise<void> {
    const { db, now } = this.context
    for (const { id: probe_id, team_id: owner, name } of await db.all(unwatchedProbes, { limit: batch })) {
      // The instance's own are the operator's to see, once there is one.
      if (owner === instanceTeam && ((await db.one(countTeams, {}))?.count ?? 0) === 0) continue
      const team_id = owner === instanceTeam ? operatorsTeam : owner
      try {
        await db.commit(serverMonitorSteps({ team_id, probe_id, name }, await takeId(db, 'monitor'), now()))
      } catch (error) {
        // Another replica was first.
        if (!(error instanceof ConflictError)) throw error
      }
    }
  }
}
