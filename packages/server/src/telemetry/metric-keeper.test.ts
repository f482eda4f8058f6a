import { randomUUID } from 'node:crypto'
import { metricNames, migrate, migrations } from '@watchpost/store'
import { eachEngine, newPlace } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import type { Point } from '../ingest/rows.ts'
import { FileKeeper } from './file-keeper.ts'
import { forgetSeries } from './forget-series.ts'
import { MetricKeeper } from './metric-keeper.ts'
import { keptAt } from './testing/kept.ts'

const now = Date.parse('2026-11-21T12:30:00Z')
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const day = 20261121

const gauges = (names: string[]) => ({
  resourceMetrics: [
    {
      scopeMetrics: [
        {
          metrics: names.map(name => ({ name, gauge: { dataPoints: [{ timeUnixNano: `${now}000000`, asInt: '1' }] } })),
        },
      ],
    },
  ],
})
const names = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `m${from + at}`)

function points(of: string[]): Point[] {
  const resource = { service: 'shop', attributes: [] }
  const origin = { resource, scope: { name: '', version: '', attributes: [] } } as unknown as Point['metric']['origin']
  const metric = { origin, type: 'gauge', unit: '1', description: '', temporality: 0, monotonic: false } as const
  return of.map(
    name =>
      ({
        metric: { ...metric, name },
        attributes: [],
        time: `${now}000000`,
        value: 1,
        distribution: null,
        exemplars: [],
      }) as unknown as Point,
  )
}

eachEngine((engine, place) => {
  test('points of a series of which too much is said are left out, and nothing else', async () => {
    const kept = await keptAt(engine, await place(), () => now)
    const text = (key: string, length: number) => [{ key, value: { stringValue: 'x'.repeat(length) } }]
    const point = (attributes: object[]) => ({ timeUnixNano: `${now}000000`, asInt: '1', attributes })
    const of = (resource: object[], dataPoints: object[]) => ({
      resource: { attributes: resource },
      scopeMetrics: [{ metrics: [{ name: 'queue', gauge: { dataPoints } }] }],
    })
    // Two megabytes as they are sent, and four thousand as series.
    const many = Array.from({ length: 4000 }, (_, at) => point([{ key: 'n', value: { intValue: at } }]))
    const resourceMetrics = [
      of(text('env', 1_000_000), many),
      of(text('env', 10_000), [point(text('sql', 40_000)), point([])]),
    ]
    const { answers } = await kept.keeper.keep([kept.entry('metrics', { resourceMetrics })])
    expect(answers).toMatchObject([
      { status: 200, rejected: 4001, reason: expect.stringContaining('32768 characters') },
    ])
    expect((await kept.archive.metrics.all(metricNames, { app_id: 1, limit: 9 })).length).toBe(1)
    await kept.close()
  })

  test('an app begins only so many series within an hour; points of known ones are taken on', async () => {
    const at = await place()
    const db = await at.open()
    await migrate(db, migrations)
    const keeper = new MetricKeeper(await at.open(), 20)
    const refused = async (of: string[], when = now) => [...(await keeper.steps(1, points(of), day, when)).refused]
    expect(await refused(names(0, 15))).toEqual([])
    expect(await refused([...names(18, 30), ...names(0, 5), 'm18'])).toEqual([5, 6, 7, 8, 9, 10, 11])
    // After a start, too, and of another app nothing is counted here.
    const later = new MetricKeeper(await at.open(), 20)
    const { steps, refused: all } = await later.steps(1, points(names(40, 42)), day, now)
    expect([steps, [...all]]).toEqual([[], [0, 1]])
    expect((await later.steps(1, points([...names(40, 42), 'm3']), day, now)).refused.size).toBe(2)
    expect((await later.steps(2, points(names(40, 60)), day, now)).refused.size).toBe(0)
    expect(await refused(names(23, 30), now + hourMs)).toEqual([])
    for (const each of [keeper, later]) await each.close()
    await db.close()
    await at.remove()
  })

  test('a series is forgotten once none of its points can be left, not while they come', async () => {
    let at = now
    const kept = await keptAt(engine, await place(), () => at)
    const series = async () =>
      (await kept.archive.metrics.all(metricNames, { app_id: 1, limit: 9 })).map(({ name }) => name)
    const send = (of: string[]) => kept.keeper.keep([kept.entry('metrics', gauges(of))])
    await send(['old', 'lasting'])
    for (; at < now + 440 * dayMs; at += 6 * dayMs) {
      await send(['lasting'])
      await forgetSeries(kept.archive, at, () => false)
      if (at < now + 365 * dayMs) expect((await series()).toSorted()).toEqual(['lasting', 'old'])
    }
    expect(await series()).toEqual(['lasting'])
    await send(['old'])
    expect((await series()).toSorted()).toEqual(['lasting', 'old'])
    await kept.close()
  })
})

test('replicas together begin no more series than one may', async () => {
  const place = await newPlace('postgres')
  const db = await place.open()
  await migrate(db, migrations)
  const keepers = await Promise.all([1, 2, 3].map(async () => new MetricKeeper(await place.open(), 50)))
  // Connected, so that they are at it together.
  await Promise.all(keepers.map(keeper => keeper.steps(99, points(['warm']), day, now)))
  for (let app = 1; app <= 40; app++) {
    const kept = await Promise.all(
      // Two have all of theirs in common.
      [0, 0, 40].map((from, at) => (keepers[at] as MetricKeeper).steps(app, points(names(from, from + 40)), day, now)),
    )
    const refused = kept.map(each => each.refused.size)
    expect(refused.toSorted((a, b) => a - b)).toEqual(refused[2] === 0 ? [0, 30, 30] : [0, 0, 30])
    expect((await db.all(metricNames, { app_id: app, limit: 99 })).length).toBe(50)
  }
  for (const keeper of keepers) await keeper.close()
  await db.close()
  await place.remove()
})

test('while very many series begin, logs are kept', async () => {
  const place = await newPlace('sqlite')
  const kept = await keptAt('sqlite', place, () => now)
  let done = false
  const many = names(0, 20_000).map(name => `${name} ${randomUUID()}`)
  const points = kept.keeper.keep([kept.entry('metrics', gauges(many))]).then(() => {
    done = true
  })
  const logRecords = [{ timeUnixNano: `${now}000000`, body: { stringValue: 'meanwhile' } }]
  const { answers } = await kept.keeper.keep([kept.entry('logs', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] })])
  expect([answers[0]?.status, done]).toEqual([200, false])
  await points
  await kept.close()
})

test('a request is told which of its own points were left out, and why', async () => {
  const place = await newPlace('sqlite')
  const kept = await keptAt('sqlite', place, () => now)
  const keeper = await FileKeeper.at(place.dataDir, () => now, undefined, 3)
  await keeper.open()
  const requests = [names(0, 2), names(1, 4), names(4, 6)].map(of => kept.entry('metrics', gauges(of)))
  const { answers } = await keeper.keep(requests)
  const reason = 'More than 3 new series of metrics within an hour (WATCHPOST_TELEMETRY_NEW_SERIES_HOUR)'
  expect(answers.map(({ status, rejected, reason }) => [status, rejected, reason])).toEqual([
    [200, 0, ''],
    [200, 1, reason],
    [200, 2, reason],
  ])
  await keeper.close()
  await kept.close()
})
