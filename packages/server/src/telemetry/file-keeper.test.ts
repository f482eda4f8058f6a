import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dayName } from '@watchpost/store'
import { newPlace } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { hasMetric } from './read-metrics.ts'
import { readTraces } from './read-traces.ts'
import { everyTrace, keptAt } from './testing/kept.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'x', startTimeUnixNano: '1' }
const traces = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }
const gauge = { dataPoints: [{ timeUnixNano: `${now}000000`, asInt: '1' }] }
const metrics = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'queue', gauge }] }] }] }

// The one file cannot be written: what lies in the other is kept, and its sender does not send it again.
test.each([
  ['telemetry', [200, 503]],
  ['points', [503, 200]],
] as const)('an answer follows its own commit where %s cannot be kept', async (family, statuses) => {
  const place = await newPlace('sqlite')
  const kept = await keptAt('sqlite', place, () => now)
  const damaged = join(place.dataDir, 'telemetry', `${family}-${dayName(now)}.db`)
  writeFileSync(damaged, 'no database'.repeat(1000))
  const sent = [kept.entry('metrics', metrics), kept.entry('traces', traces)]
  const statusesOf = async () => (await kept.keeper.keep(sent)).answers.map(({ status }) => status)
  expect(await statusesOf()).toEqual(statuses)
  rmSync(damaged)
  expect(await statusesOf()).toEqual([200, 200])
  const { rows } = await readTraces(kept.archive, everyTrace)
  expect(rows.length).toBe(1)
  expect(await hasMetric(kept.archive, { app_id: 1, name: 'queue' })).toBe(true)
  await kept.close()
})
