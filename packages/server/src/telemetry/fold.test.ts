import { dayName, migrate, migrations, startUsageFold, usageFolds } from '@watchpost/store'
import { eachEngine, type Place } from '@watchpost/store/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../context.ts'
import { Folder } from './fold.ts'

const now = Date.parse('2026-11-21T12:00:00Z')

eachEngine((_engine, newPlace) => {
  let place: Place
  beforeAll(async () => {
    place = await newPlace()
  })
  afterAll(() => place.remove())

  test('a new day begins with its mark, and marks of days whose files have long gone are forgotten', async () => {
    const db = await place.open()
    await migrate(db, migrations)
    const config = { telemetry: { days: { telemetry: 30 } } } as Context['config']
    const folder = new Folder({
      db,
      now: () => now,
      log: pino({ level: 'silent' }),
      eventCommitted: () => undefined,
      config,
    })
    const [today, kept, gone] = [0, 59, 61].map(days => dayName(now - days * 86_400_000)) as [number, number, number]
    await db.commit([kept, gone].map(day => ({ query: startUsageFold, params: { day } })))
    folder.add([{ day: today, seq: 3, deltas: [] }])
    await folder.settle()
    const folds = (await db.all(usageFolds, {})).toSorted((a, b) => a.day - b.day)
    expect(folds).toEqual([
      { day: kept, seq: 0 },
      { day: today, seq: 3 },
    ])
    await db.close()
  })
})
