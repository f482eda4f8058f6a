import { setImmediate } from 'node:timers/promises'
import {
  ApiError,
  type Backtest,
  type BacktestedMonitor,
  type FieldErrors,
  type MonitorItem,
  type planRoutes,
} from '@watchpost/contract'
import { automaticIncidentsOf, type MonitorView, monitorsOfTeam, probesByIds } from '@watchpost/store'
import type { Context } from '../context.ts'
import { type Attempt, failuresWithin, replay, type Trial } from '../domain/backtest.ts'
import { autoIncident, regionsOf, verdictPolicy, withDefaults } from '../domain/monitor-settings.ts'
import type { Ask } from '../http/handler.ts'
import { refuse } from '../http/validate.ts'
import { evidenceKey, readChecks, readEvidence } from '../results/history.ts'
import { oldestResultMs } from '../results/read-result.ts'
import { iso, isoOrNull } from './time.ts'

/** What one backtest may take: a week of ten thousand monitors would take hours, in the thread that answers everybody. */
const budgetMs = 15_000

/** What stored attempts would have led to under the settings of files, beside what they did. */
export async function backtest(ask: Ask<typeof planRoutes.backtestResources>): Promise<Backtest> {
  const { caller, context } = ask
  const over = context.backtests.take(caller.team_id)
  if (over === undefined) {
    const message = 'A backtest of this team is under way, or enough of others; ask again when it is done'
    throw new ApiError('unavailable', message, { retryAfter: 5 })
  }
  try {
    return await replayAll(ask)
  } finally {
    over()
  }
}

async function replayAll({ body, caller, context, isGone }: Ask<typeof planRoutes.backtestResources>) {
  const now = context.now()
  const asked = Date.parse(body.since)
  if (asked >= now) refuse({ since: 'must be in the past' })
  const from = Math.max(asked, now - oldestResultMs)
  const rows = await context.db.all(monitorsOfTeam, { team_id: caller.team_id })
  const { trials, unknown } = matched(body.resources.monitors ?? [], rows)
  const monitors: BacktestedMonitor[] = []
  // One after the other: a week of one monitor is in memory at a time.
  for (const { row, item } of trials) {
    if (isGone() || context.now() - now >= budgetMs) break
    monitors.push(await replayed(context, row, item, from, now))
    // The store may answer at once: others, who wait meanwhile, have their turn all the same.
    await setImmediate()
  }
  const seconds = budgetMs / 1000
  const notes = [
    ...(monitors.length < trials.length
      ? [`Replayed ${monitors.length} of ${trials.length} monitors within ${seconds} s; ask for fewer at a time.`]
      : []),
    ...(asked < from ? [`Single checks are kept for seven days: replayed since ${iso(from)}.`] : []),
    'Attempts are those that were made: another target, interval, timeout or retry_interval would have made others.',
  ]
  return { since: iso(from), monitors, unknown, notes }
}

/** The monitors that items mean, each once, and the names that none has. */
function matched(items: readonly MonitorItem[], rows: readonly MonitorView[]) {
  const byName = Map.groupBy(rows, row => row.name)
  const places = new Map<number, number>()
  const unknown = new Set<string>()
  const trials: { row: MonitorView; item: MonitorItem }[] = []
  const errors: FieldErrors = {}
  for (const [index, item] of items.entries()) {
    const found = (byName.get(item.name) ?? []).filter(row => item.id === undefined || row.id === item.id)
    if (found.length === 0) unknown.add(item.name)
    for (const row of found) {
      const earlier = places.get(row.id)
      if (earlier !== undefined) {
        errors[`resources.monitors.${index}.name`] =
          `is there twice: monitors ${earlier + 1} and ${index + 1} mean the same`
        break
      }
      places.set(row.id, index)
      trials.push({ row, item })
    }
  }
  refuse(errors)
  return { trials, unknown: [...unknown] }
}

async function replayed(
  context: Context,
  row: MonitorView,
  item: MonitorItem,
  from: number,
  to: number,
): Promise<BacktestedMonitor> {
  const attempts = await attemptsOf(context, row, from, to)
  const incidents = await context.db.all(automaticIncidentsOf, {
    team_id: row.team_id,
    monitor_id: row.id,
    since: from,
  })
  return {
    monitor_id: row.id,
    name: row.name,
    checks: attempts.length,
    from: isoOrNull(attempts[0]?.checked_at ?? null),
    would: replay(attempts, trialOf(context, row, item)).map(({ opened_at, resolved_at, checks, error }) => ({
      opened_at: iso(opened_at),
      resolved_at: isoOrNull(resolved_at),
      checks,
      error,
    })),
    did: incidents.map(({ started_at, resolved_at }) => {
      const failures = failuresWithin(attempts, started_at, resolved_at ?? Number.POSITIVE_INFINITY)
      return {
        opened_at: iso(started_at),
        resolved_at: isoOrNull(resolved_at),
        checks: failures.length,
        error: failures[0]?.error_message ?? null,
      }
    }),
  }
}

function trialOf({ windows }: Context, row: MonitorView, item: MonitorItem): Trial {
  const { interval, timeout, options } = withDefaults(item)
  const { team_id, id: monitor_id } = row
  const policy = {
    monitor_id,
    // A region that looked as often as it was asked to has not been silent.
    interval_s: Math.max(interval, row.interval_s),
    timeout_s: timeout,
    ...verdictPolicy(options),
    counts_from: 0,
  }
  const opens = autoIncident(options)
  return {
    policy,
    max_response_time_ms: (options as { max_response_time_ms?: number }).max_response_time_ms,
    regions: regionsOf(options),
    tells: at => opens && !windows.covers(team_id, monitor_id, at),
  }
}

async function attemptsOf({ db, results }: Context, row: MonitorView, from: number, to: number): Promise<Attempt[]> {
  const checks = await readChecks(db, results.tables, row, from, to)
  const evidence = await readEvidence(db, results.tables, row.id, from, to)
  const ids = [...new Set(checks.map(check => check.probe_id))]
  const probes = ids.length === 0 ? [] : await db.all(probesByIds, { ids, team_id: row.team_id })
  const regions = new Map(probes.map(({ id, region }) => [id, region]))
  return checks.map(check => {
    const why = check.evidence ? evidence.get(evidenceKey(check)) : undefined
    return {
      checked_at: check.checked_at,
      status: check.status,
      response_time_ms: check.response_us === null ? null : check.response_us / 1000,
      probe_id: check.probe_id,
      region: regions.get(check.probe_id) ?? '',
      error_kind: why?.error_kind ?? null,
      error_message: why?.error_message ?? null,
    }
  })
}
