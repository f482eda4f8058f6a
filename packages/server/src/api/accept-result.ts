import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  ApiError,
  type CheckResult,
  type MonitorStatus,
  type MonitorStatusChanged,
  type OutcomeStatus,
  type Verdict,
} from '@watchpost/contract'
import {
  advanceMonitor,
  ConflictError,
  checkByRun,
  insertCheck,
  type MonitorForResult,
  monitorForResult,
  type Step,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { announce } from '../domain/announcement.ts'
import { verdictPolicy } from '../domain/monitor-settings.ts'
import { type Transition, transition } from '../domain/transition.ts'
import type { ProbeCaller } from '../http/handler.ts'
import { refuse } from '../http/validate.ts'
import { verdictSteps } from './automatic-incidents.ts'
import { storedStatus } from './checks.ts'
import { eventStep } from './event.ts'
import { plannedAt } from './maintenance-windows.ts'
import { noOutage, outageSteps } from './outages.ts'
import { countedSteps, rolledToAfter } from './rollups.ts'
import { iso, isoOrNull } from './time.ts'

/** A result as it will be kept. */
interface Result {
  run_id: string
  checked_at: number
  status: OutcomeStatus
  response_time_ms: number | null
  sent: CheckResult
}

/** Times a result is judged anew because another came in between. */
const attempts = 20

/**
 * Takes one result of a probe: reads the state, decides, and commits the check, the new state, the rollups and, where
 * the status changed, the event and the incident it opens or resolves, all at once. Answers when that is durable.
 * @throws {ApiError} not_found when there is no such monitor for this probe; forbidden when the probe was never given it
 */
export async function acceptResult(context: Context, probe: ProbeCaller, sent: CheckResult): Promise<Verdict> {
  const { db } = context
  const result = readResult(sent, context.now())
  for (let attempt = 1; ; attempt++) {
    const monitor = await db.one(monitorForResult, { id: sent.monitor_id, probe_id: probe.probe_id })
    if (monitor === undefined || (probe.team_id !== 0 && probe.team_id !== monitor.team_id)) {
      throw new ApiError('not_found', `There is no monitor ${sent.monitor_id}`)
    }
    if (monitor.granted === null) {
      throw new ApiError('forbidden', `Monitor ${sent.monitor_id} was not given to this probe`)
    }
    // Only after a conflict: inserting it finds a repeat anyway, and most are none.
    if (attempt > 1 && sent.run_id !== undefined && (await alreadyHere(context, monitor, sent.run_id))) {
      return verdict(monitor.id, monitor.status, monitor.due_at)
    }
    const now = context.now()
    const planned = plannedAt(context, monitor.team_id, monitor.id, result.checked_at)
    const moved = told(
      monitor,
      result,
      judge(monitor, result),
      planned || plannedAt(context, monitor.team_id, monitor.id, now),
    )
    const counted = await countedSteps(db, monitor.id, result, planned)
    const incident =
      moved.change === null ? [] : await verdictSteps(db, monitor, moved.change.new_status, result.checked_at, now)
    const outage =
      moved.change === null ? noOutage : await outageSteps(db, monitor, moved.change.new_status, result, now)
    try {
      const steps = stepsOf(monitor, probe, result, moved, now, outage.since)
      await db.commit([...steps, ...counted, ...incident, ...outage.steps])
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
      if (attempt === attempts) throw new ApiError('unavailable', 'Too many results at once', { retryAfter: 1 })
      // Replicas that collide again and again do so less when they do not come back at the same moment.
      if (attempt > 3) await sleep(Math.random() * 5 * attempt)
      continue
    }
    if (moved.change !== null) context.eventCommitted()
    return verdict(monitor.id, moved.state.status, moved.state.due_at)
  }
}

/** Results older than this are refused: no probe keeps any so long, and no page would show them. */
const oldestMs = 30 * 86_400_000

/** The probe's clock may be ahead of ours: a check cannot have started after its result arrived. */
function readResult(sent: CheckResult, now: number): Result {
  const checked_at = sent.checked_at === undefined ? now : Math.min(Date.parse(sent.checked_at), now)
  if (checked_at < now - oldestMs) refuse({ checked_at: 'is more than 30 days ago' })
  const words = { up: 'online', down: 'offline', online: 'online', offline: 'offline', error: 'error' } as const
  return {
    run_id: sent.run_id ?? randomUUID(),
    checked_at,
    status: words[sent.status],
    response_time_ms: sent.response_time_ms ?? null,
    sent,
  }
}

async function alreadyHere(context: Context, monitor: MonitorForResult, run_id: string): Promise<boolean> {
  const { team_id, id } = monitor
  return (await context.db.one(checkByRun, { team_id, monitor_id: id, run_id })) !== undefined
}

interface Judged extends Transition {
  /** Whether the result is more than history. */
  moved: boolean
}

function judge(monitor: MonitorForResult, result: Result): Judged {
  const policy = {
    monitor_id: monitor.id,
    interval_s: monitor.interval_s,
    counts_from: monitor.counts_from,
    ...verdictPolicy(JSON.parse(monitor.options)),
  }
  const { status, failures, last_check_at, response_time_ms, due_at } = monitor
  const before = { status: status as MonitorStatus, failures, last_check_at, response_time_ms, due_at }
  const after = transition(before, result, policy)
  return { ...after, moved: after.state !== before }
}

/** What of it receivers are told, now or after maintenance; only what was seen of the target is ever told. */
function told(monitor: MonitorForResult, result: Result, judged: Judged, quiet: boolean) {
  const before = monitor as { status: MonitorStatus; announced_status: MonitorStatus | null }
  if (!judged.moved || result.status === 'error') return { ...judged, announced_status: before.announced_status }
  return { ...judged, ...announce(before, judged.state.status, quiet) }
}

function stepsOf(
  monitor: MonitorForResult,
  probe: ProbeCaller,
  result: Result,
  { state, change, moved, announced_status }: ReturnType<typeof told>,
  now: number,
  downSince: number | null,
): Step[] {
  const key = { team_id: monitor.team_id, monitor_id: monitor.id }
  const { checked_at, response_time_ms, status, sent } = result
  const steps: Step[] = [
    {
      query: insertCheck,
      params: {
        ...key,
        checked_at,
        run_id: result.run_id,
        probe_id: probe.probe_id,
        status_code: storedStatus[status],
        response_time_ms,
        error_kind: sent.error_kind ?? null,
        error_message: sent.error_message ?? null,
        timings: jsonOrNull(sent.timings),
        details: jsonOrNull(sent.details),
      },
      // The same run in two requests at once: one of them is told to look again, and finds it.
      expect: 1,
    },
    {
      query: advanceMonitor,
      params: {
        ...key,
        seq: monitor.seq,
        status: state.status,
        failures: state.failures,
        last_check_at: state.last_check_at,
        response_time_ms: state.response_time_ms,
        due_at: state.due_at,
        announced_status,
        rolled_to: rolledToAfter(monitor.rolled_to, checked_at),
        lease_id: monitor.lease_id ?? '',
        moved: Number(moved),
      },
      expect: 1,
    },
  ]
  if (change !== null) {
    steps.push(eventStep(monitor.team_id, statusChanged(monitor, result, change, now), now, { downSince }))
  }
  return steps
}

function statusChanged(
  monitor: MonitorForResult,
  result: Result,
  change: NonNullable<Transition['change']>,
  now: number,
): MonitorStatusChanged {
  return {
    event: 'monitor.status_changed',
    timestamp: iso(now),
    data: {
      monitor_id: monitor.id,
      monitor_name: monitor.name,
      ...change,
      response_time: result.response_time_ms,
      error_message: change.new_status === 'offline' ? (result.sent.error_message ?? null) : null,
    },
  }
}

function jsonOrNull(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

function verdict(monitor_id: number, status: string, due_at: number | null): Verdict {
  return { monitor_id, status: status as MonitorStatus, next_due_at: isoOrNull(due_at) }
}
