import { eachEngine, newPlace } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { Archive } from './archive.ts'
import { packPoints } from './pack-points.ts'
import { readMetric } from './read-metrics.ts'
import { type Kept, keptAt } from './testing/kept.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const midnight = Date.parse('2026-11-21T00:00:00Z')

/** Points of two series, one each second. */
async function send(kept: Kept, from: number, count: number) {
  const dataPoints = ['a', 'b'].flatMap(host =>
    Array.from({ length: count }, (_, at) => ({
      timeUnixNano: `${from + at * 1000}000000`,
      asInt: '1',
      attributes: [{ key: 'host', value: { stringValue: host } }],
    })),
  )
  const body = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'queue', gauge: { dataPoints } }] }] }] }
  await kept.keeper.keep([kept.entry('metrics', body)])
}

/** How many points are in the stretches, at each resolution, of each series. */
async function counts({ archive }: Kept) {
  const rest = { stat: 'sum' as const, step: 0, service: undefined, attributes: [] }
  const range = { from: midnight - dayMs, to: midnight + dayMs - 1 }
  const each = async (now: number) => {
    const found = await readMetric(archive, { app_id: 1, name: 'queue', ...range, now, ...rest })
    return found.series.map(({ points }) => points.reduce((sum: number, [, value]) => sum + Number(value), 0))
  }
  return [await each(midnight + 20 * dayMs), await each(midnight + 60 * dayMs), await each(midnight + 200 * dayMs)]
}
const all = (count: number) => [
  [count, count],
  [count, count],
  [count, count],
]

eachEngine((engine, place) => {
  test('points of both sides of midnight that are packed in one turn are all in the stretches', async () => {
    let at = midnight - 10_000
    const kept = await keptAt(engine, await place(), () => at)
    await send(kept, at, 5)
    at = midnight + 10_000
    await send(kept, at, 7)
    await packPoints(kept.archive, at + hourMs, () => false)
    expect(await counts(kept)).toEqual(all(12))
    at += hourMs
    await send(kept, at, 3)
    await packPoints(kept.archive, at + hourMs, () => false)
    expect(await counts(kept)).toEqual(all(15))
    await kept.close()
  })

  test('points that were put together, and not packed before a crash, are put together once', async () => {
    const at = midnight
    const kept = await keptAt(engine, await place(), () => at)
    await send(kept, at, 5)
    const [open] = await kept.archive.allPoints()
    if (open === undefined) throw new Error('there is a day')
    const append = open.db.append.bind(open.db)
    open.db.append = async () => {
      throw new Error('gone')
    }
    await expect(packPoints(kept.archive, at + hourMs, () => false)).rejects.toThrow('gone')
    open.db.append = append
    await send(kept, at + 5000, 5)
    await packPoints(kept.archive, at + hourMs, () => false)
    expect(await counts(kept)).toEqual(all(10))
    await kept.close()
  })
})

test('replicas that pack the same points at the same moment count each once', async () => {
  const place = await newPlace('postgres')
  let at = midnight - 10_000
  const kept = await keptAt('postgres', place, () => at)
  const others = await Promise.all([1, 2].map(() => Archive.open(place.dataDir, place.databaseUrl)))
  for (let turn = 0; turn < 5; turn++) {
    for (const end = at + 10_000; at < end; at += 1000) await send(kept, at, 1)
    await Promise.all([kept.archive, ...others].map(each => packPoints(each, at + hourMs, () => false)))
  }
  expect(await counts(kept)).toEqual(all(50))
  await Promise.all(others.map(each => each.close()))
  await kept.close()
})

test('a stretch that another replica has added to is read again', async () => {
  const place = await newPlace('postgres')
  let at = midnight - 10_000
  const kept = await keptAt('postgres', place, () => at)
  const other = await Archive.open(place.dataDir, place.databaseUrl)
  await send(kept, at, 4)
  at = midnight + 10_000
  await send(kept, at, 4)
  // The other replica packs the later day, of the same stretches, while this one has read the first.
  const allPoints = other.allPoints.bind(other)
  other.allPoints = async () => (await allPoints()).slice(0, 1)
  const append = kept.archive.main.append.bind(kept.archive.main)
  let met = 0
  kept.archive.main.append = async (...given) => {
    if (met++ < 2) {
      await packPoints(other, at + hourMs, () => false)
      await send(kept, at + met * 4000, 3)
    }
    return append(...given)
  }
  await packPoints(kept.archive, at + hourMs, () => false)
  expect([met > 0, await counts(kept)]).toEqual([true, all(14)])
  await other.close()
  await kept.close()
})
