import { ConflictError, type Db, pointsDay, type Step } from '@watchpost/store'
import type { Archive } from './archive.ts'
import { BlockIds, idAt } from './block-ids.ts'
import { eachInboxPoint } from './points.ts'
import { rollUp, type Waiting } from './roll-up.ts'
import { packSamples } from './sample-chunk.ts'

/** Points wait so long for others of their series; most of an hour comes before they are packed. */
const waitMs = 1_800_000
/** Rows of the inbox that are packed in one commit. */
const atOnce = 1000
/** Points of them, and bytes that these are unpacked: what each says beyond a number may be long. */
const mostPoints = 300_000
const mostBytes = 33_554_432

const ids = new BlockIds()
const hourMs = 3_600_000

/** Sorts points that have waited by their series, and puts them together by time. */
export async function packPoints(
  archive: Archive,
  now: number,
  isStopped: () => boolean,
  wait = waitMs,
): Promise<void> {
  // In the order of arrival, over midnight too: a stretch is marked with the last row of the inbox that is in it.
  for (const { db, day } of (await archive.allPoints()).toReversed()) {
    while (!isStopped()) {
      const rows = await db.all(pointsDay(day).inboxBefore, { id: idAt(now - wait), limit: atOnce })
      const app_id = rows[0]?.app_id
      if (app_id === undefined) break
      const points: Waiting[] = []
      const inbox: number[] = []
      let held = 0
      for (const { id, data } of rows.filter(row => row.app_id === app_id)) {
        const before = points.length
        const bytes = eachInboxPoint(data, undefined, (series, sample) => points.push({ series, sample, inbox: id }))
        held += bytes * (points.length - before)
        inbox.push(id)
        if (points.length >= mostPoints || held >= mostBytes) break
      }
      await packApp(archive, db, day, app_id, points, inbox, now)
    }
  }
}

/**
 * Chunks take the inbox's place in one commit. In tables it has the stretches, too; in files these are written before, and
 * twice changes nothing, since each says which rows of the inbox it holds.
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
  const chunks = [...series].flatMap(([series_id, each]) => {
    const samples = each.map(({ sample }) => sample).toSorted((a, b) => a.at - b.at)
    const byHour = Map.groupBy(samples, ({ at }) => Math.floor(at / hourMs))
    return [...byHour].map(([hour, ofHour]) => {
      return { app_id, series_id, hour, part: ids.next(now), data: packSamples(ofHour) }
    })
  })
  const steps: Step[] = [{ query: queries.deleteInbox, params: { ids: inbox }, expect: inbox.length }]
  const isOneStore = archive.metrics === db
  for await (const more of rollUp(archive.metrics, app_id, series, isOneStore ? undefined : inbox.at(-1))) {
    if (isOneStore) steps.push(...more)
    else await archive.metrics.commit(more)
  }
  try {
    await db.append(`points_chunks_${day}`, chunks, steps)
  } catch (error) {
    // Another replica has packed them, or others into the same stretches: what is left is read again.
    if (!(error instanceof ConflictError)) throw error
  }
}
