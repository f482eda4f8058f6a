import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { eachEngine, type Place } from '../testing/engines.ts'
import { watchedColumn } from './monitors.ts'
import { query } from './query.ts'

const watched = query<{ watched: number }>(
  'test.watched',
  `select ${watchedColumn} as watched
   from (select cast(@interval_s as bigint) as interval_s, cast(@timeout_s as bigint) as timeout_s) m,
     (select cast(@status as text) as status, cast(@last_check_at as bigint) as last_check_at) s`,
)

eachEngine((_engine, newPlace) => {
  let place: Place
  let db: Db
  beforeAll(async () => {
    place = await newPlace()
    db = await place.open()
  })
  afterAll(async () => {
    await db.close()
    await place.remove()
  })
  const at = async (now: number, row: object) => Number((await db.one(watched, { now, ...row }))?.watched)

  // The moments that the server's `silence.test.ts` has.
  test.each([
    [10, 5, 50],
    [60, 10, 180],
    [60, 59, 208],
    [3600, 10, 10_800],
  ])('every %i s with a timeout of %i s: nobody watches after %i s', async (interval_s, timeout_s, seconds) => {
    const row = { interval_s, timeout_s, status: 'online', last_check_at: 5 }
    expect([await at(4 + seconds * 1000, row), await at(5 + seconds * 1000, row)]).toEqual([1, 0])
    expect(await at(4, { ...row, status: 'paused' })).toBe(0)
    expect(await at(4, { ...row, status: 'pending', last_check_at: null })).toBe(0)
  })
})
