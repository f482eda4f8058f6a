import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db, Query, Step } from '../db.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { eachEngine, type Place } from '../testing/engines.ts'
import {
  assignMonitor,
  deleteRollups,
  insertMonitor,
  insertMonitorState,
  type MonitorView,
  monitorById,
  pageDays,
  putHistogram,
  putRollup,
  rolledTo,
  rollupsDue,
  rollupsOf,
  seenIn,
} from './index.ts'
import { query } from './query.ts'

const day = 20_778
const hour = day * 24 + 9

const monitor = (id: number): Step[] => {
  const settings = {
    name: 'm',
    target: 'a:1',
    type: 'tcp',
    interval_s: 60,
    timeout_s: 10,
    method: 'get',
    options: '{}',
  }
  const flags = { ssl_verify: 1, enabled: 1, is_active: 1, created_at: 1, updated_at: 1 }
  return [
    { query: insertMonitor, params: { team_id: 1, id, ...settings, ...flags } },
    { query: insertMonitorState, params: { team_id: 1, monitor_id: id, status: 'pending', due_at: 1 } },
    {
      query: assignMonitor,
      params: {
        ...{ team_id: 1, page_id: 1, monitor_id: id, display_name: null, group_name: 'General', order_index: 0 },
        ...{ show_uptime: 1, show_response_time: 1 },
      },
    },
  ]
}
const rollup = (monitor_id: number, resolution: number, bucket: number, up: number, down = 0): Step => ({
  query: putRollup,
  params: {
    ...{ monitor_id, resolution, bucket, up, down, errors: 0, maintenance: 0 },
    ...{ response_us_sum: 3_000_000_000_000, response_count: up },
  },
})
const histogram = (monitor_id: number, resolution: number, bucket: number, data: Uint8Array): Step => ({
  query: putHistogram,
  params: { monitor_id, resolution, bucket, data },
})
const roll = (monitor_id: number, to: number, seq = 0): Step => ({
  query: rolledTo,
  params: { team_id: 1, monitor_id, seq, hour: to },
  expect: 1,
})

eachEngine((_engine, newPlace) => {
  let place: Place
  let db: Db
  beforeAll(async () => {
    place = await newPlace()
    db = await place.open()
    await migrate(db, migrations)
    await db.commit([1, 2, 3, 4].flatMap(monitor))
  })
  afterAll(async () => {
    await db.close()
    await place.remove()
  })
  const uptime = async (id: number, hour_from: number) =>
    (await db.one<MonitorView>(monitorById, { team_id: 1, id, hour_from }))?.uptime_24h
  const days = async (id: number) => {
    const rows = await db.all(pageDays, { team_id: 1, page_id: 1, day_from: day - 30 })
    return rows.find(row => row.monitor_id === id)?.days
  }

  test('a rollup comes back with its histogram, byte for byte, and is replaced, not added to', async () => {
    const bytes = Uint8Array.from([1, 0, 255, 128, 10])
    await db.commit([rollup(1, 0, 12, 5), histogram(1, 0, 12, bytes), rollup(1, 0, 13, 1), rollup(1, 0, 12, 7, 1)])
    const rows = await db.all(rollupsOf, { monitor_id: 1, resolution: 0, from: 12, to: 14 })
    expect(rows).toEqual([
      expect.objectContaining({ bucket: 12, up: 7, down: 1, response_us_sum: 3_000_000_000_000 }),
      expect.objectContaining({ bucket: 13, up: 1, data: null }),
    ])
    expect(rows.map(row => row.data && [...row.data])).toEqual([[...bytes], null])
    expect(await db.all(rollupsOf, { monitor_id: 1, resolution: 1, from: 0, to: 100 })).toEqual([])
    expect(await db.one(seenIn, { monitor_id: 1, resolution: 0, from: 0, to: 13 })).toMatchObject({ up: 7, down: 1 })
  })

  test('an uptime counts hours that are rolled up, and five minutes since, each once', async () => {
    await db.commit([
      // Before the 24 hours.
      rollup(2, 1, hour - 24, 0, 100),
      rollup(2, 0, (hour - 24) * 12, 0, 100),
      rollup(2, 1, hour - 1, 60),
      rollup(2, 0, (hour - 1) * 12 + 3, 60),
      rollup(2, 0, hour * 12, 10, 10),
    ])
    expect(await uptime(2, hour - 23)).toBe(87.5)
    await db.commit([roll(2, hour)])
    expect(await uptime(2, hour - 23)).toBe(87.5)
    expect(await uptime(2, hour + 1)).toBeNull()
    expect(await uptime(3, hour)).toBeNull()
  })

  test("a page's days are those that are over, and the pieces of the open one", async () => {
    await db.commit([
      rollup(3, 2, day - 31, 9, 9),
      rollup(3, 2, day - 1, 1440, 2),
      rollup(3, 1, day * 24 + 8, 60),
      rollup(3, 0, (day * 24 + 8) * 12, 60),
      rollup(3, 0, hour * 12, 5, 1),
      roll(3, hour),
    ])
    const pieces = (await days(3))?.match(/\d+,\d+,\d+/g)?.sort()
    expect(pieces).toEqual([`${day - 1},1440,2`, `${day},5,1`, `${day},60,0`])
    expect(await days(4)).toBe('')
  })

  test('due is who has five minutes in an hour that is over, or a day that is', async () => {
    const due = async (to: number) =>
      (await db.all(rollupsDue, { after_team_id: 1, after_monitor_id: 1, hour: to, limit: 10 })).map(
        ({ monitor_id, first_bucket }) => [monitor_id, first_bucket],
      )
    await db.commit([roll(4, hour)])
    expect(await due(hour)).toEqual([])
    expect(await due(hour + 1)).toEqual([
      [2, hour * 12],
      [3, hour * 12],
    ])
    expect((await due((day + 1) * 24)).map(([id]) => id)).toEqual([2, 3, 4])
  })

  test('what goes with a monitor is its own', async () => {
    await db.commit(deleteRollups.map(query => ({ query, params: { monitor_id: 2 } })))
    const left = query<{ monitor_id: number }>(
      'test.left',
      'select distinct series / 4 as monitor_id from rollups order by monitor_id',
    )
    expect((await db.all(left, {})).map(row => row.monitor_id)).toEqual([1, 3])
  })
})

eachEngine((_engine, newPlace) => {
  test('hours and days from before there were five minutes are kept', async () => {
    const place = await newPlace()
    const db = await place.open()
    await migrate(db, migrations.slice(0, 2))
    const state = query(
      'test.state',
      `insert into monitor_states (team_id, monitor_id, seq, status, failures, lease_until, lease_holds, counts_from)
       values (1, @id, 0, 'online', 0, 0, 0, 0)`,
    )
    const old = query(
      'test.old',
      `insert into rollups (team_id, monitor_id, resolution_s, bucket_at, up, down, response_time_sum,
         response_time_count) values (1, 1, @resolution_s, @bucket_at, @up, @down, 80.5, 1)`,
    )
    const row = (resolution_s: number, bucket: number, up: number, down: number): Step => ({
      query: old as Query,
      params: { resolution_s, bucket_at: bucket * resolution_s * 1000, up, down },
    })
    await db.commit([
      { query: state, params: { id: 1 } },
      { query: state, params: { id: 2 } },
      row(3600, hour - 10, 60, 1),
      row(3600, hour - 1, 60, 0),
      row(3600, hour, 7, 3),
      row(86_400, day - 1, 60, 1),
      row(86_400, day, 67, 3),
    ])
    await migrate(db, migrations)
    const counts = query<{ resolution: number; bucket: number; up: number; down: number; response_us_sum: number }>(
      'test.counts',
      'select series % 4 as resolution, bucket, up, down, response_us_sum from rollups order by resolution, bucket',
    )
    const sum = { response_us_sum: 80_500 }
    expect(await db.all(counts, {})).toEqual([
      { resolution: 0, bucket: (hour - 10) * 12, up: 60, down: 1, ...sum },
      { resolution: 0, bucket: (hour - 1) * 12, up: 60, down: 0, ...sum },
      { resolution: 0, bucket: hour * 12, up: 7, down: 3, ...sum },
      { resolution: 1, bucket: hour - 10, up: 60, down: 1, ...sum },
      { resolution: 1, bucket: hour - 1, up: 60, down: 0, ...sum },
      { resolution: 2, bucket: day - 1, up: 60, down: 1, ...sum },
    ])
    const states = query('test.states', 'select rolled_to from monitor_states order by monitor_id')
    expect(await db.all(states, {})).toEqual([{ rolled_to: hour }, { rolled_to: 0 }])
    await db.close()
    await place.remove()
  })
})
