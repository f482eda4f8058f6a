import { advanceMonitor, advanceRegion, checkDay, type Db, dayName, type Step } from '@watchpost/store'
import { readSpan, rollupSteps } from '../api/rollups.ts'
import { encodeHistogram } from '../domain/histogram.ts'
import type { RegionVotes } from '../domain/region-votes.ts'
import { bucketOf, bucketStart, mergeRollups, type Rollup } from '../domain/rollup.ts'
import type { KeptMonitor } from './kept-monitor.ts'

/** Later than any hour. */
const noHour = 2 ** 31 - 1

/**
 * What brings a monitor's rows up to what is known of it: one row, and now and then a block of checks and five minutes
 * that are over. The compare-and-swap on its count is what makes all the rest safe.
 */
export async function flushSteps(db: Db, kept: KeptMonitor): Promise<Step[]> {
  const { memory, id } = kept
  const late = await Promise.all(memory.late.map(each => withWritten(db, id, each)))
  const rollups = [...memory.closed, ...late]
  const steps: Step[] = [advanceStep(kept, rollups)]
  for (const { first_at, data } of memory.fullBlocks) {
    steps.push({ query: checkDay(dayName(first_at)).insertBlock, params: { monitor_id: id, first_at, data } })
  }
  for (const rollup of rollups) steps.push(...rollupSteps(id, '5m', rollup))
  if (memory.votes !== null) steps.push(...regionSteps(kept, memory.votes))
  return steps
}

function regionSteps({ memory, team_id, id }: KeptMonitor, { regions, ofProbe }: RegionVotes): Step[] {
  const handedOn = memory.avoidProbe === null ? undefined : ofProbe.get(memory.avoidProbe)
  return regions
    .filter(vote => vote.moved)
    .map(vote => {
      const { region, status, failures, last_check_at, response_time_ms, probe_id, due_at } = vote
      const avoid_probe_id = vote === handedOn ? memory.avoidProbe : null
      const said = { status, failures, last_check_at, response_time_ms, probe_id, due_at, avoid_probe_id }
      return { query: advanceRegion, params: { team_id, monitor_id: id, region, ...said } }
    })
}

function advanceStep(kept: KeptMonitor, rollups: readonly Rollup[]): Step {
  const { memory, team_id, id, writtenSeq } = kept
  const { status, failures, last_check_at, response_time_ms, due_at } = memory.state
  const { bucket } = memory
  const hours = rollups.map(each => bucketOf(bucketStart(each.bucket, '5m'), '1h'))
  const params = {
    team_id,
    monitor_id: id,
    seen_seq: writtenSeq,
    seq: memory.seq,
    status,
    failures,
    last_check_at,
    response_time_ms,
    due_at,
    announced_status: memory.announcedStatus,
    moved: Number(memory.moved),
    avoid_probe_id: memory.votes === null ? memory.avoidProbe : null,
    filed_due_at: memory.filedDueAt,
    open_checks: memory.block.count === 0 ? null : memory.block.bytes(),
    // Hours are rolled up again from the first that something was added to.
    oldest_hour: Math.min(noHour, ...hours),
    open_bucket: bucket?.bucket ?? null,
    open_up: bucket?.up ?? 0,
    open_down: bucket?.down ?? 0,
    open_errors: bucket?.errors ?? 0,
    open_maintenance: bucket?.maintenance ?? 0,
    open_us_sum: bucket?.response_us_sum ?? 0,
    open_count: bucket?.response_count ?? 0,
    open_histogram: bucket === null || bucket.histogram.size === 0 ? null : encodeHistogram(bucket.histogram),
  }
  return { query: advanceMonitor, params, expect: 1 }
}

/** Late checks are added to what was written of their five minutes. */
async function withWritten(db: Db, monitor_id: number, late: Rollup): Promise<Rollup> {
  const written = await readSpan(db, monitor_id, { resolution: '5m', from: late.bucket, to: late.bucket + 1 })
  return mergeRollups(late.bucket, [...written, late])
}
