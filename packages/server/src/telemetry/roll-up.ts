import {
  type Db,
  insertMetricRollup,
  metricRollups,
  metricSeriesByIds,
  replaceMetricRollup,
  type Step,
} from '@watchpost/store'
import type { About, InboxPoint } from './points.ts'
import {
  mergeSummaries,
  packSummaries,
  type Summary,
  type SummaryRow,
  summaryOf,
  unpackSummaries,
} from './rollup-points.ts'
import { rollupLevels } from './rollups.ts'

/** Rows that are read at once, and written. */
const atOnce = 500

/** A point, and the row of the inbox that it lies in. */
export interface Waiting extends InboxPoint {
  inbox: number
}

/**
 * What puts points into stretches, each level from the points: nothing waits for a finer level to be whole. A row that has
 * changed since it was read is a conflict.
 * @param mark the last row of the inbox; of rows that have it their points are in them already. Undefined where all are new
 */
export async function* rollUp(
  db: Db,
  app_id: number,
  series: Map<number, Waiting[]>,
  mark: number | undefined,
): AsyncGenerator<Step[]> {
  const abouts = await aboutsOf(db, app_id, [...series.keys()])
  for (const { resolution, stepMs, rowMs } of rollupLevels) {
    for (const [bucket, ofBucket] of byBucket(series, rowMs)) {
      for (const ids of inPieces([...ofBucket.keys()])) {
        const rows = await db.all(metricRollups, { app_id, ids, resolution, from: bucket, to: bucket })
        const known = new Map(rows.map(({ series_id, data }) => [series_id, data]))
        const steps: Step[] = []
        for (const series_id of ids) {
          const about = abouts.get(series_id)
          const before = known.get(series_id)
          if (about === undefined) continue
          const row = withPoints(about, before, ofBucket.get(series_id) ?? [], stepMs, mark)
          if (row === undefined) continue
          const params = { app_id, resolution, bucket, series_id, bytes: packSummaries(row) }
          if (before === undefined) steps.push({ query: insertMetricRollup, params, expect: 1 })
          else steps.push({ query: replaceMetricRollup, params: { ...params, before }, expect: 1 })
        }
        yield steps
      }
    }
  }
}

/** @returns undefined where nothing is new */
function withPoints(
  about: About,
  before: Uint8Array | undefined,
  points: Waiting[],
  stepMs: number,
  mark: number | undefined,
): SummaryRow | undefined {
  const known = before === undefined ? { mark: 0, summaries: [] } : unpackSummaries(before)
  // Those that were put together before a crash are in it already.
  const fresh = points.filter(({ inbox }) => mark === undefined || inbox > known.mark).map(({ sample }) => sample)
  if (fresh.length === 0) return undefined
  const byStep = new Map<number, Summary>(known.summaries.map(summary => [summary.at, summary]))
  for (const [step, each] of Map.groupBy(fresh, ({ at }) => Math.floor(at / stepMs) * stepMs)) {
    const summary = summaryOf(
      about,
      step,
      each.toSorted((a, b) => a.at - b.at),
    )
    const there = byStep.get(step)
    byStep.set(step, there === undefined ? summary : mergeSummaries(about, there, summary))
  }
  return { mark: mark ?? known.mark, summaries: [...byStep.values()].toSorted((a, b) => a.at - b.at) }
}

function byBucket(series: Map<number, Waiting[]>, rowMs: number): Map<number, Map<number, Waiting[]>> {
  const buckets = new Map<number, Map<number, Waiting[]>>()
  for (const [series_id, points] of series) {
    for (const [bucket, each] of Map.groupBy(points, ({ sample }) => Math.floor(sample.at / rowMs))) {
      const ofBucket = buckets.get(bucket) ?? new Map<number, Waiting[]>()
      buckets.set(bucket, ofBucket.set(series_id, each))
    }
  }
  return buckets
}

async function aboutsOf(db: Db, app_id: number, all: number[]): Promise<Map<number, About>> {
  const abouts = new Map<number, About>()
  for (const ids of inPieces(all)) {
    for (const { id, about } of await db.all(metricSeriesByIds, { app_id, ids })) abouts.set(id, JSON.parse(about))
  }
  return abouts
}

function inPieces(ids: number[]): number[][] {
  const pieces: number[][] = []
  for (let at = 0; at < ids.length; at += atOnce) pieces.push(ids.slice(at, at + atOnce))
  return pieces
}
