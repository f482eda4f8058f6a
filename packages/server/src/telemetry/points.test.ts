import { migrate, migrations } from '@watchpost/store'
import { eachEngine } from '@watchpost/store/testing'
import { describe, expect, test } from 'vitest'
import { readMetrics } from '../ingest/otlp-metrics.ts'
import { Archive } from './archive.ts'
import { FileKeeper } from './file-keeper.ts'
import { MetricKeeper } from './metric-keeper.ts'
import { packPoints } from './pack-points.ts'
import type { Sample } from './points.ts'
import { readMetric } from './read-metrics.ts'
import { packSamples, unpackSamples } from './sample-chunk.ts'
import { TableKeeper } from './table-keeper.ts'

describe('a chunk of points', () => {
  const sample = (at: number, value: number): Sample => ({ at, value, extra: undefined })
  test.each([
    ['counters', Array.from({ length: 60 }, (_, index) => sample(1e12 + index * 60_000, index * 7))],
    [
      'decimals',
      Array.from({ length: 60 }, (_, index) => sample(1e12 + index * 60_013, 20 + Math.round(index * 1.7) / 100)),
    ],
    ['anything', [sample(5, Math.PI), sample(3, -1e300), sample(4, Number.POSITIVE_INFINITY), sample(9, -0)]],
    ['extremes', [sample(0, 2 ** 51), sample(1.8e13, -(2 ** 53)), sample(-1, 0.001)]],
    ['with more', [{ at: 1, value: 3, extra: { distribution: { count: 1, sum: 2 } } }, sample(2, 1)]],
    ['nothing', []],
  ])('%s come back as they were', (_, samples) => {
    expect(unpackSamples(packSamples(samples))).toEqual(samples)
  })

  test('points as people measure them take a few bytes each', () => {
    const samples = Array.from({ length: 360 }, (_, index) =>
      sample(1e12 + index * 10_000, 1e6 + index * 250 + (index % 7)),
    )
    expect(packSamples(samples).length / samples.length).toBeLessThan(4)
  })
})

eachEngine((engine, newPlace) => {
  test('points are the same before and after they are packed, and there are older ones when they are gone', async () => {
    const place = await newPlace()
    const db = await place.open()
    await migrate(db, migrations)
    const now = Date.now()
    const clock = () => now
    const keeper =
      engine === 'sqlite'
        ? await FileKeeper.at(place.dataDir, clock)
        : new TableKeeper(await place.open(), new MetricKeeper(await place.open()), clock, () => undefined)
    await keeper.open()
    const start = Math.floor(now / 86_400_000) * 86_400_000 - 86_400_000
    const dataPoints = Array.from({ length: 120 }, (_, index) => ({
      timeUnixNano: `${start + index * 30_000}000000`,
      asDouble: index,
      attributes: [{ key: 'host', value: { stringValue: 'a' } }],
    }))
    const metrics = [{ name: 'queue', unit: '1', gauge: { dataPoints } }]
    const batch = readMetrics({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] })
    const app = { team_id: 1, id: 1, name: 'Shop' }
    const entry = { id: 1, app, signal: 'metrics' as const, items: 120, rejected: 0, reason: '', bytes: 1 }
    await keeper.keep([{ ...entry, hash: 'a'.repeat(24), content: { points: batch.items } }])

    const archive = await Archive.open(place.dataDir, place.databaseUrl)
    const ask = async (more: object = {}) => {
      const range = { from: start, to: start + 3_600_000 - 1, now, stat: undefined, step: 0, service: undefined }
      const { series: found } = await readMetric(archive, {
        app_id: 1,
        name: 'queue',
        attributes: [],
        ...range,
        ...more,
      })
      return found[0]?.points
    }
    const sent = dataPoints.map(({ asDouble }, index) => [start + index * 30_000, asDouble])
    expect(await ask()).toEqual(sent)
    await packPoints(archive, now + 60_000, () => false, 0)
    expect(await ask()).toEqual(sent)
    // Twice changes nothing.
    await packPoints(archive, now + 60_000, () => false, 0)
    const later = { now: now + 20 * 86_400_000 }
    const last = Array.from({ length: 12 }, (_, slot) => [start + slot * 300_000, slot * 10 + 9])
    expect(await ask(later)).toEqual(last)
    const highest = last.map(([at, value]) => [at, value])
    expect(await ask({ ...later, stat: 'max' })).toEqual(highest)
    expect(await ask({ now: now + 80 * 86_400_000, stat: 'avg' })).toEqual([[start, 59.5]])
    await archive.close()
    await keeper.close()
    await db.close()
    await place.remove()
  })
})
