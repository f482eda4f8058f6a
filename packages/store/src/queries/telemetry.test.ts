import { expect, test } from 'vitest'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { eachEngine } from '../testing/engines.ts'
import { takeTelemetryTurn } from './telemetry.ts'

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
