import type { MonitorStatus } from '@watchpost/contract'
import type { MonitorForResult, RegionRow } from '@watchpost/store'
import { CheckBlock, decodeBlock } from '../domain/check-block.ts'
import type { MonitorMemory } from '../domain/fold-check.ts'
import { decodeHistogram } from '../domain/histogram.ts'
import { regionsOf, verdictPolicy } from '../domain/monitor-settings.ts'
import type { RegionVote, RegionVotes } from '../domain/region-votes.ts'
import type { OpenRollup } from '../domain/rollup.ts'
import type { Policy } from '../domain/transition.ts'

/** A monitor as results are judged by: its settings, what is known of it, and how much of that is in its rows. */
export interface KeptMonitor {
  team_id: number
  id: number
  name: string
  /** JSON object. */
  options: string
  policy: Policy
  memory: MonitorMemory
  /** The count its row was last seen with: whoever finds another there has missed something. */
  writtenSeq: number
  /** Probes known to have been given it; that is never taken back. */
  granted: number[]
  /** First entry of the journal that its rows do not hold, and since when. */
  unwritten: { journalId: number; since: number } | null
}

/** What is known of a monitor's regions, and which probes are where. */
export interface KnownRegions {
  rows: readonly RegionRow[]
  probes: readonly { probe_id: number; region: string }[]
}

/** @param regions of a monitor that names any */
export function keptMonitor(row: MonitorForResult, regions?: KnownRegions): KeptMonitor {
  const { team_id, id, name, type, options, interval_s, timeout_s, counts_from } = row
  const settings = JSON.parse(options)
  const heard = type === 'server'
  return {
    team_id,
    id,
    name,
    options,
    policy: { monitor_id: id, interval_s, timeout_s, counts_from, heard, ...verdictPolicy(settings) },
    memory: memoryOf(row, regions === undefined ? null : votesOf(settings, regions)),
    writtenSeq: row.seq,
    granted: row.granted === null ? [] : [row.granted],
    unwritten: null,
  }
}

/** Whether a monitor names regions, without reading all its options. */
export function namesRegions({ options }: Pick<MonitorForResult, 'options'>): boolean {
  return options.includes('"regions"') && regionsOf(JSON.parse(options)) !== null
}

function votesOf(options: Record<string, unknown>, { rows, probes }: KnownRegions): RegionVotes | null {
  const named = regionsOf(options)
  if (named === null) return null
  const regions = named.regions.flatMap(region => rows.filter(row => row.region === region).map(voteOf))
  const ofProbe = new Map<number, RegionVote>()
  for (const { probe_id, region } of probes) {
    const vote = regions.find(each => each.region === region)
    if (vote !== undefined) ofProbe.set(probe_id, vote)
  }
  return { quorum: named.quorum, regions, ofProbe }
}

function voteOf(row: RegionRow): RegionVote {
  return { ...row, status: row.status as RegionVote['status'], moved: false }
}

function memoryOf(row: MonitorForResult, votes: RegionVotes | null): MonitorMemory {
  const { status, failures, last_check_at, response_time_ms, due_at } = row
  let newestDueAt = row.filed_due_at
  const open = row.open_checks
  if (open !== null) for (const { due_at: due } of decodeBlock(open)) newestDueAt = Math.max(newestDueAt, due)
  return {
    seq: row.seq,
    announcedStatus: row.announced_status as MonitorStatus | null,
    state: { status: status as MonitorStatus, failures, last_check_at, response_time_ms, due_at },
    votes,
    avoidProbe: null,
    newestDueAt,
    filedDueAt: row.filed_due_at,
    block: new CheckBlock(open ?? undefined),
    bucket: openRollupOf(row),
    closedTo: row.closed_to,
    fullBlocks: [],
    closed: [],
    late: [],
    moved: false,
  }
}

type OpenColumns = Pick<
  MonitorForResult,
  | 'open_bucket'
  | 'open_up'
  | 'open_down'
  | 'open_errors'
  | 'open_maintenance'
  | 'open_us_sum'
  | 'open_count'
  | 'open_histogram'
>

/** The five minutes that are still with the monitor's state. */
function openRollupOf(row: OpenColumns): OpenRollup | null {
  if (row.open_bucket === null) return null
  return {
    bucket: row.open_bucket,
    up: row.open_up,
    down: row.open_down,
    errors: row.open_errors,
    maintenance: row.open_maintenance,
    response_us_sum: row.open_us_sum,
    response_count: row.open_count,
    histogram: new Map(row.open_histogram === null ? [] : decodeHistogram(row.open_histogram)),
  }
}
