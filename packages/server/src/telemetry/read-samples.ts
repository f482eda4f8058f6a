import { metricRollups, pointsDay } from '@watchpost/store'
import type { Archive } from './archive.ts'
import { isDelta } from './counters.ts'
import { type About, eachInboxPoint, type Sample } from './points.ts'
import type { KnownSeries, MetricSearch } from './read-metrics.ts'
import { type Summary, unpackSummaries } from './rollup-points.ts'
import { rollupLevels } from './rollups.ts'
import { unpackSamples } from './sample-chunk.ts'
import { Budget } from './slices.ts'

/** How long one answer may be read. */
const readMs = 1000
/** Points that are in memory at once; of one that says more than a number there is room for fewer. */
const mostHeld = 1_000_000
const heldByExtra = 10
/** Rows of the inbox that are read at once, and chunks of a series and day at most. */
const rowsAtOnce = 100
const mostChunks = 5000

const hourMs = 3_600_000
const dayMs = 86_400_000
/** Days that points are kept as they were sent (specification 8.3). */
const rawDays = 7

/** What one answer may take: time, and points that are in memory at once. */
export class Effort {
  private readonly budget = new Budget(readMs)
  private left = mostHeld
  wasEnough = true

  isSpent(): boolean {
    if (this.budget.isSpent()) this.wasEnough = false
    return !this.wasEnough
  }

  /**
   * @param bytes of each where it lies
   * @returns whether there is room for more points of this series
   */
  hold(samples: readonly Sample[], bytes = 0): boolean {
    for (const { extra } of samples) this.left -= extra === undefined ? 1 : Math.max(heldByExtra, bytes / 50)
    if (this.left < 0) this.wasEnough = false
    return this.left >= 0
  }

  /** The points of a series have become an answer. */
  release(): void {
    if (this.left >= 0) this.left = mostHeld
  }
}

/** Each point once, in the order of time; of older ranges stretches that were put together, and what is not yet. */
export async function samplesOf(
  archive: Archive,
  search: MetricSearch,
  series: KnownSeries,
  waiting: Sample[],
  effort: Effort,
): Promise<Sample[]> {
  const isRaw = search.from >= search.now - rawDays * dayMs
  const rolled = isRaw || effort.isSpent() ? [] : await rolledUp(archive, search, series)
  const packed = rolled.length > 0 || effort.isSpent() ? [] : await packedSamples(archive, search, series.id, effort)
  effort.release()
  const all = waiting.concat(rolled, packed).sort((a, b) => a.at - b.at)
  return all.filter(isNew)
}

/** Points that are not packed by series yet, the newest first; those of all series lie together. */
export async function inboxSamples(
  archive: Archive,
  { app_id, from, to }: MetricSearch,
  wanted: KnownSeries[],
  effort: Effort,
): Promise<Map<number, Sample[]>> {
  const samples = new Map<number, Sample[]>(wanted.map(({ id }) => [id, []]))
  const ids = new Set(samples.keys())
  for (const { db, day } of ids.size === 0 ? [] : await archive.allPoints()) {
    for (let id = Number.MAX_SAFE_INTEGER; ; ) {
      const rows = await db.all(pointsDay(day).inboxOf, { app_id, id, limit: rowsAtOnce })
      for (const { data } of rows) {
        const found: Sample[] = []
        const bytes = eachInboxPoint(data, ids, (series, sample) => {
          if (sample.at < from || sample.at > to) return
          found.push(sample)
          samples.get(series)?.push(sample)
        })
        if (!effort.hold(found, bytes) || effort.isSpent()) return samples
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < rowsAtOnce) break
      id = last.id
    }
  }
  return samples
}

/** Points of one series, the newest first. */
async function packedSamples(
  archive: Archive,
  { app_id, from, to }: MetricSearch,
  series_id: number,
  effort: Effort,
): Promise<Sample[]> {
  const samples: Sample[] = []
  for (const { db, day } of await archive.allPoints()) {
    const range = { app_id, series_id, from: Math.floor(from / hourMs), to: Math.floor(to / hourMs), limit: mostChunks }
    const rows = await db.all(pointsDay(day).chunksOf, range)
    if (rows.length === mostChunks) effort.wasEnough = false
    for (const { data } of rows) {
      const found = unpackSamples(data).filter(({ at }) => at >= from && at <= to)
      for (const sample of found) samples.push(sample)
      if (!effort.hold(found) || effort.isSpent()) return samples
    }
  }
  return samples
}

/** What was read twice while it was packed is one point. */
const isNew = (sample: Sample, index: number, all: Sample[]): boolean => {
  const before = all[index - 1]
  return before === undefined || before.at !== sample.at || !Object.is(before.value, sample.value)
}

/** What is left of points that are not kept any more: as if each stretch had been one point, or a few. */
async function rolledUp(archive: Archive, search: MetricSearch, { id, about }: KnownSeries): Promise<Sample[]> {
  const { app_id, from, to, now } = search
  const level = rollupLevels.find(({ days }) => from >= now - days * dayMs) ?? rollupLevels.at(-1)
  if (level === undefined) return []
  const { resolution, rowMs } = level
  const range = { from: Math.floor(from / rowMs), to: Math.floor(to / rowMs) }
  const rows = await archive.metrics.all(metricRollups, { app_id, ids: [id], resolution, ...range })
  return rows.flatMap(({ data }) => {
    const summaries = unpackSummaries(data).summaries.filter(({ at }) => at >= from - level.stepMs && at <= to)
    return summaries.map(summary => sampleOf(about, summary))
  })
}

/** A stretch as if it had been one point. */
export function sampleOf(about: About, stretch: Summary): Sample {
  const { at, sum, last, distribution } = stretch
  return {
    at,
    value: about.type === 'sum' && isDelta(about) ? sum : last,
    extra: distribution && { distribution },
    stretch,
  }
}
