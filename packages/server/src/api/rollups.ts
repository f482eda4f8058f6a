import {
  type Db,
  putHistogram,
  putRollup,
  type RollupRow,
  rollupsOf,
  type SeenRow,
  type Step,
  seenIn,
} from '@watchpost/store'
import { decodeHistogram, emptyHistogram, encodeHistogram } from '../domain/histogram.ts'
import { type Resolution, type Rollup, type RollupSpan, storedResolution } from '../domain/rollup.ts'

/** Writes a rollup over what was there. */
export function rollupSteps(monitor_id: number, resolution: Resolution, rollup: Rollup): Step[] {
  const { histogram, ...counts } = rollup
  const key = { monitor_id, resolution: storedResolution[resolution] }
  const steps: Step[] = [{ query: putRollup, params: { ...key, ...counts } }]
  if (histogram.size > 0) {
    steps.push({ query: putHistogram, params: { ...key, bucket: rollup.bucket, data: encodeHistogram(histogram) } })
  }
  return steps
}

/** The rollups of a stretch of one resolution that have any check, oldest first. */
export async function readSpan(db: Db, monitor_id: number, { resolution, from, to }: RollupSpan): Promise<Rollup[]> {
  const rows = await db.all(rollupsOf, { monitor_id, resolution: storedResolution[resolution], from, to })
  return rows.map(rollupOf)
}

/** What was seen in a stretch of one resolution, without its response times. */
export async function readSeen(db: Db, monitor_id: number, { resolution, from, to }: RollupSpan): Promise<SeenRow> {
  const row = await db.one(seenIn, { monitor_id, resolution: storedResolution[resolution], from, to })
  return row ?? { up: 0, down: 0, maintenance: 0 }
}

function rollupOf({ data, ...counts }: RollupRow): Rollup {
  return { ...counts, histogram: data === null ? emptyHistogram : decodeHistogram(data) }
}
