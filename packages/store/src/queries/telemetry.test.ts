import { expect, test } from 'vitest'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { daysInFiles } from '../telemetry-days.ts'
import { eachEngine, newPlace } from '../testing/engines.ts'
import { query } from './query.ts'
import { takeTelemetryTurn } from './telemetry.ts'
import { telemetryDay } from './telemetry-days.ts'

eachEngine((_engine, newPlace) => {
  test('a turn is one replica’s until it is over, and nobody’s whose clock is ahead', async () => {
    const place = await newPlace()
    const db = await place.open()
    await migrate(db, migrations)
    const take = async (name: string, now: number) => {
      const [rows = []] = await db.commit([{ query: takeTelemetryTurn, params: { name, now, until: now + 10 } }])
      return rows.length
    }
    expect([await take('a', 100), await take('a', 100), await take('a', 109), await take('b', 105)]).toEqual([
      1, 0, 0, 1,
    ])
    expect([await take('a', 110), await take('a', 111)]).toEqual([1, 0])
    expect([await take('a', 9000), await take('a', 130), await take('a', 131)]).toEqual([1, 1, 0])
    await db.close()
    await place.remove()
  })
})

test('blocks that are asked for by their ids are found by them, however many an app has', async () => {
  const place = await newPlace('sqlite')
  const days = daysInFiles(place.dataDir, 'telemetry')
  const day = 20261121
  const db = await days.make(day)
  for (const { name, sql } of [telemetryDay(day).blooms, telemetryDay(day).contents]) {
    const plan = query<{ detail: string }>(`plan of ${name}`, `explain query plan ${sql}`)
    const [first] = await db.all(plan, { app_id: 1, ids: [1, 2] })
    expect(first?.detail).toContain('_by_id')
  }
  // Neither reads what it does not give, nor sorts it.
  const range = { app_id: 1, kind: 0, from: 1, to: 9, limit: 9 }
  const { blocksBetween, blocksAmong } = telemetryDay(day)
  for (const [{ name, sql }, params, index] of [
    [blocksBetween, { ...range, from_id: 1, to_id: 9 }, '_by_id'],
    [blocksAmong, { ...range, last_at: 9, id: 9, after: 5, ids: [1, 2] }, '_by_time'],
  ] as const) {
    const plan = query<{ detail: string }>(`plan of ${name}`, `explain query plan ${sql}`)
    const steps = await db.all(plan, params)
    expect(steps[0]?.detail).toContain(index)
    expect(steps.filter(({ detail }) => detail.includes('TEMP B-TREE'))).toEqual([])
  }
  await days.close()
  await place.remove()
})
