import type { Explanation, MonitorStatus, monitorRoutes, RegionSays, StatusChange } from '@watchpost/contract'
import {
  type MonitorView,
  openAutomaticIncident,
  outageOfMonitor,
  probesByIds,
  type RegionRow,
  regionsOfMonitor,
  type VerdictRow,
  verdictsOfMonitor,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { attemptsOf } from '../domain/attempts.ts'
import { explain } from '../domain/explanation.ts'
import { regionsOf, verdictPolicy } from '../domain/monitor-settings.ts'
import type { Vote } from '../domain/quorum.ts'
import { type RegionVote, votesAt } from '../domain/region-votes.ts'
import { repeatCommand } from '../domain/repeat-command.ts'
import { isWatched } from '../domain/silence.ts'
import type { Ask } from '../http/handler.ts'
import { readChecks } from '../results/history.ts'
import { oldestResultMs } from '../results/read-result.ts'
import { attempts, listChecksOf } from './checks.ts'
import { plannedAt } from './maintenance-windows.ts'
import { settingsOf } from './monitor-row.ts'
import { iso, isoOrNull } from './time.ts'

/** Changes of status that are explained. */
const changesShown = 10

/** Why a monitor has the status it has. */
export async function explainMonitor(
  ask: Ask<typeof monitorRoutes.explainMonitor>,
  monitor: MonitorView,
): Promise<Explanation> {
  const { context } = ask
  const { team_id, id, failures } = monitor
  const key = { team_id, monitor_id: id }
  const settings = settingsOf(monitor)
  const named = regionsOf(settings.options)
  const latest = { ...ask, query: { per_page: 1 } } as Ask<typeof monitorRoutes.listMonitorChecks>
  const [checks, outage, incident, rows, verdicts] = await Promise.all([
    listChecksOf(latest, monitor),
    context.db.one(outageOfMonitor, key),
    context.db.one(openAutomaticIncident, key),
    named === null ? [] : context.db.all(regionsOfMonitor, key),
    context.db.all(verdictsOfMonitor, { ...key, limit: changesShown + 1 }),
  ])
  const now = context.now()
  const regions = (named?.regions ?? []).flatMap(region => rows.filter(row => row.region === region))
  const said = saidAt(monitor, regions, now)
  const names = await probeNames(context, team_id, [...said, ...verdicts.flatMap(readSaid)])
  const due_at = regions.reduce((first, row) => Math.min(first, row.due_at ?? first), monitor.due_at ?? noTime)
  const { confirmations } = verdictPolicy(settings.options)
  const known = {
    status: monitor.status as MonitorStatus,
    failures,
    confirmations,
    in_maintenance: plannedAt(context, team_id, id, now),
    last_check: checks.rows[0] ?? null,
    // A check may take as long as its timeout, and a poll its while.
    heard: monitor.type === 'server',
    overdue: due_at !== noTime && now > due_at + monitor.timeout_s * 1000 + 30_000,
    regions: named === null ? null : { quorum: named.quorum, votes: said },
  }
  return {
    monitor_id: id,
    status: known.status,
    reasons: explain(known),
    failures,
    confirmations,
    quorum: named?.quorum ?? null,
    votes: said.map(each => shownVote(each, names)),
    watched: isWatched(monitor, now),
    offline_since: known.status === 'offline' ? isoOrNull(outage?.started_at ?? null) : null,
    incident_id: incident?.id ?? null,
    in_maintenance: known.in_maintenance,
    last_check: known.last_check,
    next_check_at: isoOrNull(due_at === noTime ? null : due_at),
    changes: await changesOf(context, monitor, verdicts, names),
    repeat: repeatCommand(settings),
  }
}

const noTime = Number.POSITIVE_INFINITY

/** What a region said at some moment, as it is kept with a verdict. */
interface Said {
  region: string
  vote: Vote
  failures: number
  last_check_at: number | null
  probe_id: number | null
}

function saidAt(monitor: MonitorView, rows: readonly RegionRow[], at: number): Said[] {
  const { id: monitor_id, interval_s, timeout_s, counts_from } = monitor
  const policy = { monitor_id, interval_s, timeout_s, counts_from, ...verdictPolicy(JSON.parse(monitor.options)) }
  const regions = rows.map(row => ({ ...row, status: row.status as RegionVote['status'], moved: false }))
  const votes = votesAt({ regions }, policy, at)
  return regions.map(({ region, failures, last_check_at, probe_id }, index) => {
    return { region, vote: votes[index] as Vote, failures, last_check_at, probe_id }
  })
}

function readSaid({ votes }: VerdictRow): Said[] {
  return votes === null ? [] : JSON.parse(votes)
}

async function probeNames({ db }: Context, team_id: number, said: readonly Said[]): Promise<Map<number, string>> {
  const ids = [...new Set(said.flatMap(({ probe_id }) => probe_id ?? []))]
  const rows = ids.length === 0 ? [] : await db.all(probesByIds, { ids, team_id })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function shownVote({ probe_id, last_check_at, ...said }: Said, names: ReadonlyMap<number, string>): RegionSays {
  const probe = probe_id === null ? null : (names.get(probe_id) ?? null)
  return { ...said, probe, last_check_at: isoOrNull(last_check_at) }
}

/** The changes of its status, newest first, each with what it was decided on. */
async function changesOf(
  context: Context,
  monitor: MonitorView,
  verdicts: readonly VerdictRow[],
  names: ReadonlyMap<number, string>,
): Promise<StatusChange[]> {
  const [newest, oldest] = [verdicts[0], verdicts.at(-1)]
  if (newest === undefined || oldest === undefined) return []
  const { db, results } = context
  const from = context.now() - oldestResultMs
  const checks = await readChecks(db, results.tables, monitor, from, newest.decided_at)
  return Promise.all(
    verdicts.slice(0, changesShown).map(async (verdict, index) => {
      const { decided_at, old_status, new_status, votes } = verdict
      const after = verdicts[index + 1]?.decided_at ?? 0
      const decided = attemptsOf(checks, { decided_at, new_status, after, regional: votes !== null })
      return {
        at: iso(decided_at),
        old_status: old_status as MonitorStatus,
        new_status: new_status as MonitorStatus,
        attempts: await attempts(context, monitor, decided),
        votes: readSaid(verdict).map(each => shownVote(each, names)),
      }
    }),
  )
}
