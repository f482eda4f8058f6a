import { deleteApp, type Query, rumVisitsOf, setTeamQuota } from '@watchpost/store'
import { eachEngine, type Place } from '@watchpost/store/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readBudget } from '../api/usage-steps.ts'
import { OneApp } from './testing/one-app.ts'

const minute = 60_000
const count = (day: number): Query<{ count: number }> => ({
  name: `test.count ${day}`,
  sql: `select count(*) as count from rum_events_${day}`,
})

eachEngine((_engine, newPlace) => {
  let place: Place
  let one: OneApp
  let db: OneApp['db']

  beforeEach(async () => {
    place = await newPlace()
    one = await OneApp.on(place, '2026-11-30T23:50:00Z')
    db = one.db
  })
  afterEach(async () => {
    await db.close()
    await place.remove()
  })

  const used = async () => {
    const { quotas } = await readBudget(db, one.app, one.now)
    return [quotas.rum_sessions.row?.used ?? 0, quotas.rum_events.row?.used ?? 0]
  }

  test('over midnight and into another month: ids stay known, a visit counts in both, vitals stay where they are', async () => {
    const events = [
      { type: 'page_load', id: 'a', session_id: 's' },
      { type: 'web_vital', name: 'INP', value: 100, id: 'v', session_id: 's' },
    ]
    expect(await one.take(events)).toMatchObject({ accepted: 2, duplicates: 0 })
    one.now += 20 * minute
    expect(await used()).toEqual([0, 0])
    expect(await one.take(events)).toMatchObject({ accepted: 0, duplicates: 2 })
    expect(await used()).toEqual([0, 0])
    expect(await one.take([{ type: 'page_load', id: 'b', session_id: 's' }])).toMatchObject({ accepted: 1 })
    expect(await used()).toEqual([1, 1])
    expect(await db.all(rumVisitsOf, { app_id: 1, ids: ['s'] })).toMatchObject([
      { number: 1, period: '2026-12', page_count: 2, event_count: 3 },
    ])
    expect([await db.one(count(20261130), {}), await db.one(count(20261201), {})]).toEqual([{ count: 2 }, { count: 1 }])
    one.now += 31 * minute
    await one.take([{ type: 'page_load', session_id: 's' }])
    expect(await used()).toEqual([2, 2])
  })

  test('two at once count the same visit and the same events once', async () => {
    const writers = [one.writer, one.another(), one.another()]
    const events = Array.from({ length: 20 }, (_, n) => ({ type: 'page_load', id: `e${n}`, session_id: 's' }))
    const outcomes = await Promise.all(writers.map(each => one.take(events, each)))
    expect(outcomes.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(20)
    expect(await used()).toEqual([1, 20])
  })

  test('a large request goes in pieces, and its answer is of the whole', async () => {
    await db.commit([{ query: setTeamQuota, params: { team_id: 1, quota: 'rum_events', quota_limit: 450 } }])
    const events = Array.from({ length: 500 }, (_, n) => ({ type: 'custom', name: 'x', id: `e${n}` }))
    const outcome = await one.take(events)
    expect(outcome).toMatchObject({ accepted: 450, exceeded: { quota: 'rum_events', limit: 450, used: 450 } })
    expect(outcome.over.map(({ position }) => position)).toEqual(Array.from({ length: 50 }, (_, n) => n + 450))
    expect(await used()).toEqual([0, 450])
  })

  test('an app that is deleted meanwhile takes nothing', async () => {
    await one.take([{ type: 'page_load', session_id: 's' }])
    await db.commit(deleteApp.map(query => ({ query, params: { team_id: 1, id: 1 } })))
    expect(await db.all(rumVisitsOf, { app_id: 1, ids: ['s'] })).toEqual([])
    await expect(one.take([{ type: 'page_load', session_id: 's' }])).rejects.toMatchObject({ status: 401 })
    await expect(one.take([{ type: 'session_start', session_id: 's' }])).rejects.toMatchObject({ status: 401 })
  })

  test('what waits is bounded', () => {
    const places = Array.from({ length: 64 }, () => one.writer.begin(524_288))
    expect(one.writer.begin(1)).toBeUndefined()
    places[0]?.()
    places[0]?.()
    expect(one.writer.begin(524_288)).toBeDefined()
    expect(one.writer.begin(1)).toBeUndefined()
  })
})
