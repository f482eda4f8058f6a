import { checkDays, insertApp, insertRumVisit, type Query, rumDays, rumVisitsOf } from '@watchpost/store'
import { eachEngine, type Place } from '@watchpost/store/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rollupSteps } from '../api/rollups.ts'
import { bucketOf, emptyRollup, resolutions } from '../domain/rollup.ts'
import { OneMonitor } from '../results/testing/one-monitor.ts'
import { RetentionWorker } from './retention.ts'

const day = 86_400_000

eachEngine((_engine, newPlace) => {
  let place: Place
  let one: OneMonitor
  beforeEach(async () => {
    place = await newPlace()
    one = await OneMonitor.on(place)
  })
  afterEach(async () => {
    await one.writer.close()
    await one.db.close()
    await place.remove()
  })
  const retention = () => new RetentionWorker(one.context())
  const days = async () => (await one.db.all(checkDays, {})).map(row => row.day)

  test('there are tables for today and tomorrow before any check, also where several make them', async () => {
    await Promise.all([retention().run(), new RetentionWorker(one.context(one.another())).run()])
    expect(await days()).toEqual([20261121, 20261120])
  })

  test('single checks are kept for seven days, and go with their tables', async () => {
    const first = one.now
    for (let index = 0; index < 9; index++) {
      await one.send([{ status: index === 0 ? 'offline' : 'online' }])
      await one.writer.settle()
      await retention().run()
      one.now += day
    }
    expect(await days()).toEqual([
      20261129, 20261128, 20261127, 20261126, 20261125, 20261124, 20261123, 20261122, 20261121,
    ])
    const { checks } = await one.seen()
    expect(Math.min(...checks.map(each => each.checked_at))).toBe(first + day)
    const gone: Query = { name: 'gone', sql: 'select * from check_evidence_20261120' }
    await expect(one.db.all(gone, {})).rejects.toThrow('check_evidence_20261120')
    // What is counted stays.
    expect((await one.seen()).monitor?.uptime_24h).not.toBeNull()
    expect(await one.send([{ checked_at: new Date(first).toISOString() }])).toMatchObject([
      { errors: { checked_at: 'is more than 7 days ago' } },
    ])
  })

  test('events of browsers are kept for 30 days, and go with their tables; so do visits', async () => {
    const context = one.context()
    const first = one.now
    const visit = { app_id: 1, number: 1, period: '2026-11', browser: null, os: null, device: null, referrer: null }
    const counts = { page_count: 0, event_count: 0, error_count: 0, team_id: 1 }
    const app = {
      name: 'x',
      allowed_origins: '[]',
      app_token: 'x',
      app_token_hash: 'x',
      api_key: 'x',
      api_key_hash: 'x',
    }
    await one.db.commit([{ query: insertApp, params: { team_id: 1, id: 1, ...app, created_at: 1, updated_at: 1 } }])
    const visits = async () => one.db.all(rumVisitsOf, { app_id: 1, ids: ['old', 'new'] })
    const see = async (session_id: string) => {
      await one.db.commit([{ query: insertRumVisit, params: { ...visit, ...counts, session_id, at: one.now } }])
      await new RetentionWorker(context).run()
    }
    await see('old')
    one.now += 29 * day
    await see('new')
    expect((await one.db.all(rumDays, {})).map(row => row.day)).toEqual([20261220, 20261219, 20261121, 20261120])
    expect(await visits()).toHaveLength(2)
    one.now = first + 31 * day
    await new RetentionWorker(context).run()
    expect((await one.db.all(rumDays, {})).map(row => row.day)).toEqual([
      20261222, 20261221, 20261220, 20261219, 20261121,
    ])
    expect(await visits()).toMatchObject([{ session_id: 'new' }])
  })

  test('a monitor that was silent for long goes on, although the day of its last checks is gone', async () => {
    const replica = one.another()
    await one.send([{}, {}], replica)
    await replica.settle()
    one.now += 9 * day
    await retention().run()
    expect(await one.send([{}], replica)).toMatchObject([{ status: 'online' }])
    await replica.settle()
    expect((await one.seen(replica)).checks.length).toBe(1)
    expect(await days()).toEqual([20261130, 20261129])
    await replica.close()
  })

  test('a table that is gone is made again', async () => {
    await one.send([{ status: 'offline' }])
    await one.db.script('drop table check_evidence_20261120')
    await expect(one.send([{ status: 'offline' }])).rejects.toThrow('check_evidence_20261120')
    expect(await one.send([{ status: 'offline' }])).toHaveLength(1)
  })

  test('rollups go by their age: five minutes after 30 days, hours after 90, days after 400', async () => {
    const ages = { '5m': [29, 31], '1h': [89, 91], '1d': [399, 401] }
    await one.db.commit(
      resolutions.flatMap(resolution =>
        ages[resolution].flatMap(age =>
          rollupSteps(1, resolution, emptyRollup(bucketOf(one.now - age * day, resolution))),
        ),
      ),
    )
    await retention().run()
    const left: Query<{ resolution: number; bucket: number }> = {
      name: 'left',
      sql: 'select series % 4 as resolution, bucket from rollups order by resolution',
    }
    expect(await one.db.all(left, {})).toEqual(
      resolutions.map((resolution, stored) => ({
        resolution: stored,
        bucket: bucketOf(one.now - (ages[resolution][0] as number) * day, resolution),
      })),
    )
  })
})
