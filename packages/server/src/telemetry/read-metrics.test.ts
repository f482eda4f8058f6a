import { pointsDay } from '@watchpost/store'
import { eachEngine, newPlace } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { packPoints } from './pack-points.ts'
import { type MetricSearch, readMetric, readSeries } from './read-metrics.ts'
import { packSamples } from './sample-chunk.ts'
import { type Kept, keptAt } from './testing/kept.ts'

const hourMs = 3_600_000
const now = Date.parse('2026-11-21T12:00:00Z')
const day = 20_261_121

const attribute = (key: string, value: string) => [{ key, value: { stringValue: value } }]
const request = (dataPoints: object[]) => ({
  resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'queue', gauge: { dataPoints } }] }] }],
})

async function ask(kept: Kept, more: Partial<MetricSearch> = {}) {
  const all = { app_id: 1, name: 'queue', stat: undefined, step: undefined, service: undefined, attributes: [] }
  return readMetric(kept.archive, { ...all, from: now - hourMs, to: now, now, ...more })
}

test('a week of many dense series takes bounded time, and the answer says that there is more', async () => {
  const kept = await keptAt('sqlite', await newPlace('sqlite'), () => now)
  const time = `${now - 1000}000000`
  const dataPoints = Array.from({ length: 200 }, (_, at) => ({
    timeUnixNano: time,
    asInt: at,
    attributes: attribute('host', `${at}`),
  }))
  await kept.keeper.keep([kept.entry('metrics', request(dataPoints))])
  const [open] = await kept.archive.allPoints()
  const hours = Array.from({ length: 168 }, (_, index) => Math.floor(now / hourMs) - 1 - index)
  const chunks = hours.map(hour => {
    const samples = Array.from({ length: 360 }, (_, at) => ({
      at: hour * hourMs + at * 10_000,
      value: at / 7,
      extra: undefined,
    }))
    return { hour, data: packSamples(samples) }
  })
  const { series } = await readSeries(kept.archive, { app_id: 1, name: 'queue', service: undefined, attributes: [] })
  const rows = series.flatMap(({ id }) => chunks.map(chunk => ({ app_id: 1, series_id: id, part: 1, ...chunk })))
  await open?.db.append(`points_chunks_${day}`, rows)

  const began = performance.now()
  const week = await ask(kept, { from: now - 168 * hourMs })
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(week.complete).toBe(false)
  // What waits to be packed is there of all, and of the first the whole week, too.
  expect(week.series.length).toBe(200)
  expect(week.series[0]?.points[0]?.[0]).toBeLessThan(now - 167 * hourMs)
  const one = await ask(kept, { from: now - 168 * hourMs, attributes: [['host', '150']] })
  expect([one.complete, one.series.length]).toEqual([true, 1])
  const asSent = await ask(kept, { from: now - 168 * hourMs, attributes: [['host', '150']], step: 0 })
  expect([asSent.complete, asSent.series[0]?.points.length]).toEqual([false, 2000])
  expect((await open?.db.all(pointsDay(day).inboxSize, {}))?.[0]?.count).toBe(1)
  await kept.close()
})

eachEngine((engine, newPlace) => {
  test('what was measured in traces is shown, the newest first, before and after it is packed', async () => {
    const kept = await keptAt(engine, await newPlace(), () => now)
    const dataPoints = Array.from({ length: 12 }, (_, at) => ({
      timeUnixNano: `${now - 60_000 + at * 1000}000000`,
      asInt: at,
      exemplars: [
        {
          timeUnixNano: `${now - 60_500 + at * 1000}000000`,
          asDouble: at + 0.5,
          traceId: `${at}`.padStart(32, 'a'),
          spanId: `${at}`.padStart(16, 'b'),
          filteredAttributes: attribute('user.id', `${at}`),
        },
      ],
    }))
    await kept.keeper.keep([kept.entry('metrics', request(dataPoints))])
    const before = (await ask(kept)).series[0]?.exemplars
    expect(before?.length).toBe(10)
    expect(before?.[0]).toEqual({
      timestamp: new Date(now - 49_500).toISOString(),
      value: 11.5,
      trace_id: '11'.padStart(32, 'a'),
      span_id: '11'.padStart(16, 'b'),
      attributes: { 'user.id': '11' },
    })
    await packPoints(kept.archive, now + 60_000, () => false, 0)
    expect((await ask(kept)).series[0]?.exemplars).toEqual(before)
    await kept.close()
  })
})
