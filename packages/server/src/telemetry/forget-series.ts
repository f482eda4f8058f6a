import { forgetMetricSeries, forgetMetricSeriesHours } from '@watchpost/store'
import type { Archive } from './archive.ts'
import { seenWithinMs } from './metric-keeper.ts'
import { rollupLevels } from './rollups.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const longestMs = Math.max(...rollupLevels.map(({ days }) => days)) * dayMs
/** Series that are forgotten in one commit. */
const atOnce = 1000

/** Forgets series that nothing is left of: no point of theirs has come for longer than anything of points is kept. */
export async function forgetSeries({ metrics }: Archive, now: number, isStopped: () => boolean): Promise<void> {
  const before = now - longestMs - seenWithinMs
  while (!isStopped()) {
    const [forgotten = []] = await metrics.commit([{ query: forgetMetricSeries, params: { before, limit: atOnce } }])
    if (forgotten.length < atOnce) break
  }
  const hour = Math.floor(now / hourMs) - 24
  await metrics.commit([{ query: forgetMetricSeriesHours, params: { before: hour } }])
}
