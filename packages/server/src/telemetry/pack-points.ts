import {
  ConflictError,
  type Db,
  metricRollups,
  metricSeriesOfApp,
  pointsDay,
  putMetricRollup,
  type Step,
} from '@watchpost/store'
import type { Archive } from './archive.ts'
import { BlockIds, idAt } from './block-ids.ts'
import { type About, type InboxPoint, unpackInbox } from './points.ts'
import { mergeSummaries, packSummaries, type Summary, summaryOf, unpackSummaries } from './rollup-points.ts'
import { rollupLevels } from './rollups.ts'
import { packSamples } from './sample-chunk.ts'

/** Points wait so long for others of their series; most of an hour comes before they are packed. */
const waitMs = 1_800_000
/** Rows of the inbox that are packed in one commit. */
const atOnce = 1000
/** Points of them. */
const mostPoints = 300_000

/** A point, and the row of the inbox that it lies in. */
interface Waiting extends InboxPoint {
  inbox: number
}

const ids = new BlockIds()
const hourMs = 3_600_000

/** Sorts points that have waited by their series, and puts them together by time. */
export async function packPoints(
  archive: Archive,
  now: number,
  isStopped: () => boolean,
  wait = waitMs,
): Promise<void> {
  for (const { db, day } of await archive.allPoints()) {
    while (!isStopped()) {
      const rows = await db.all(pointsDay(day).inboxBefore, { id: idAt(now - wait), limit: atOnce })
      const app_id = rows[0]?.app_id
      if (app_id === undefined) break
      const points: Waiting[] = []
      const inbox: number[] = []
      for (const { id, data } of rows.filter(row => row.app_id === app_id)) {
        for (const point of unpackInbox(data)) points.push({ ...point, inbox: id })
        inbox.push(id)
        if (points.length >= mostPoints) break
      }
      await packApp(archive, db, day, app_id, points, inbox, now)
    }
  }
}

/**
 * What is put together is written first: twice changes nothing, since it says which rows of the inbox it holds by the
 * mark in the same store; then the chunks take the inbox's place, all in one commit.
 */
async function packApp(
  archive: Archive,
  db: Db,
  day: number,
  app_id: number,
  points: Waiting[],
  inbox: number[],
  now: number,
): Promise<void> {
  const series = Map.groupBy(points, point => point.series)
  const queries = pointsDay(day)
  const steps: Step[] = [{ query: queries.deleteInbox, params: { ids: inbox }, expect: inbox.length }]
  for (const [series_id, each] of series) {
    const samples = each.map(({ sample }) => sample).toSorted((a, b) => a.at - b.at)
    for (const [hour, ofHour] of Map.groupBy(samples, ({ at }) => Math.floor(at / hourMs))) {
      const params = { app_id, series_id, hour, part: ids.next(now), data: packSamples(ofHour) }
      steps.push({ query: queries.insertChunk, params })
    }
  }
  await rollUp(archive, app_id, series, inbox.at(-1) as number)
  try {
    await db.commit(steps)
  } catch (error) {
    // Another replica has packed them.
    if (!(error instanceof ConflictError)) throw error
  }
}

async function rollUp(archive: Archive, app_id: number, series: Map<number, Waiting[]>, mark: number): Promise<void> {
  const abouts = new Map<number, About>()
  for (const { id, about } of await archive.metrics.all(metricSeriesOfApp, { app_id })) {
    if (series.has(id)) abouts.set(id, JSON.parse(about))
  }
  for (const [series_id, points] of series) {
    const about = abouts.get(series_id)
    if (about === undefined) continue
    const sorted = points.toSorted((a, b) => a.sample.at - b.sample.at)
    await rollUpSeries(archive.metrics, app_id, series_id, about, sorted, mark)
  }
}

/** Every level at once, each from the points: nothing waits for a finer level to be whole. */
async function rollUpSeries(
  db: Db,
  app_id: number,
  series_id: number,
  about: About,
  points: Waiting[],
  mark: number,
): Promise<void> {
  const steps: Step[] = []
  for (const { resolution, stepMs, rowMs } of rollupLevels) {
    for (const [bucket, ofRow] of Map.groupBy(points, ({ sample }) => Math.floor(sample.at / rowMs))) {
      const params = { app_id, ids: [series_id], resolution, from: bucket, to: bucket }
      const row = await db.one(metricRollups, params)
      const known = row === undefined ? { mark: 0, summaries: [] } : unpackSummaries(row.data)
      // Those that were put together before a crash are in it already.
      const fresh = ofRow.filter(({ inbox }) => inbox > known.mark).map(({ sample }) => sample)
      if (fresh.length === 0) continue
      const byStep = new Map<number, Summary>(known.summaries.map(summary => [summary.at, summary]))
      for (const [step, each] of Map.groupBy(fresh, ({ at }) => Math.floor(at / stepMs) * stepMs)) {
        const summary = summaryOf(about, step, each)
        const before = byStep.get(step)
        byStep.set(step, before === undefined ? summary : mergeSummaries(about, before, summary))
      }
      const all = [...byStep.values()].toSorted((a, b) => a.at - b.at)
      steps.push({
        query: putMetricRollup,
        params: { app_id, resolution, bucket, series_id, bytes: packSummaries({ mark, summaries: all }) },
      })
    }
  }
  if (steps.length > 0) await db.commit(steps)
}
