import {
  type Db,
  insertMonitor,
  insertMonitorState,
  type MonitorView,
  migrate,
  migrations,
  monitorById,
  type Query,
  type Step,
} from '@watchpost/store'
import { eachEngine, type Place } from '@watchpost/store/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSpan } from '../api/rollups.ts'
import { Changes } from '../changes.ts'
import type { Context } from '../context.ts'
import { bucketOf, mergeRollups, type Resolution, resolutions, spansOf } from '../domain/rollup.ts'
import { ResultWriter } from '../results/writer.ts'
import { RollupWorker } from './rollup.ts'

const query = <R>(name: string, sql: string): Query<R> => ({ name, sql })
const grant = query('test.grant', 'insert into grants (team_id, monitor_id, probe_id) values (1, 1, 1)')
const minute = 60_000
const hour = 3_600_000
const start = Date.parse('2026-11-20T21:00:00Z')

eachEngine((_engine, newPlace) => {
  let place: Place
  let db: Db
  let now: number
  let context: Context

  beforeEach(async () => {
    place = await newPlace()
    db = await place.open()
    await migrate(db, migrations)
    now = start
    const quiet = { changes: new Changes(), windows: { covers: () => false } }
    const given = { ...quiet, db, now: () => now, eventCommitted() {} }
    context = { ...given, results: new ResultWriter(given) } as unknown as Context
    await db.commit([
      {
        query: insertMonitor,
        params: {
          team_id: 1,
          id: 1,
          name: 'Shop',
          target: 'a:1',
          type: 'tcp',
          interval_s: 60,
          timeout_s: 10,
          method: 'get',
          ssl_verify: 1,
          enabled: 1,
          is_active: 1,
          options: '{}',
          created_at: start,
          updated_at: start,
        },
      },
      { query: insertMonitorState, params: { team_id: 1, monitor_id: 1, status: 'pending', due_at: start } },
      { query: grant, params: {} },
    ])
  })
  afterEach(async () => {
    await db.close()
    await place.remove()
  })

  const check = async (at: number, status: 'online' | 'offline' | 'error' = 'online') => {
    const checked_at = new Date(at).toISOString()
    const sent = { monitor_id: 1, status, response_time_ms: 80, checked_at } as const
    await context.results.accept({ team_id: 0, probe_id: 1 }, [sent])
    await context.results.settle()
  }
  /** One check each ten minutes, until then. */
  const watch = async (until: number) => {
    for (; now < until; now += 10 * minute) await check(now)
  }
  const monitor = async () => (await db.one(monitorById, { team_id: 1, id: 1, hour_from: 0 })) as MonitorView
  /** All that was counted, as each resolution has it. */
  const totals = async () => {
    const { rolled_to } = await monitor()
    const read = async (resolution: Resolution) => {
      const spans = spansOf(resolution, start, now + 1, rolled_to)
      const { up, down, errors, response_count, histogram } = mergeRollups(
        0,
        (await Promise.all(spans.map(span => readSpan(db, 1, span)))).flat(),
      )
      return { up, down, errors, response_count, times: [...histogram.values()].reduce((a, b) => a + b, 0) }
    }
    return Promise.all(resolutions.map(read))
  }
  const stored = async (resolution: Resolution) =>
    (await readSpan(db, 1, { resolution, from: 0, to: 10_000_000 })).map(({ up, down }) => ({ up, down }))
  const alike = (up: number, down = 0) =>
    resolutions.map(() => ({ up, down, errors: 0, response_count: up + down, times: up + down }))

  test('what is counted is seen at once, before and after it is rolled up', async () => {
    await watch(start + 5 * hour)
    expect(await totals()).toEqual(alike(30))
    expect(await stored('1h')).toEqual([])
    await new RollupWorker(context).rollUpDue()
    // The last hour is over for less than the worker waits.
    expect(await stored('1h')).toEqual([6, 6, 6, 6].map(up => ({ up, down: 0 })))
    expect(await stored('1d')).toEqual([{ up: 18, down: 0 }])
    expect(await totals()).toEqual(alike(30))
    await check(now)
    expect(await totals()).toEqual(alike(31))
  })

  test('rolling up again changes nothing', async () => {
    await watch(start + 8 * hour)
    const worker = new RollupWorker(context)
    await worker.rollUpDue()
    const before = [await stored('1h'), await stored('1d'), await monitor()]
    await worker.rollUpDue()
    expect([await stored('1h'), await stored('1d'), await monitor()]).toEqual(before)
  })

  test('a late check is seen at once, and its hour and day are made again', async () => {
    await watch(start + 30 * hour)
    const worker = new RollupWorker(context)
    await worker.rollUpDue()
    await check(start + 7 * minute, 'offline')
    expect(await totals()).toEqual(alike(180, 1))
    await worker.rollUpDue()
    expect(await totals()).toEqual(alike(180, 1))
    expect((await stored('1h'))[0]).toEqual({ up: 6, down: 1 })
    expect(await stored('1d')).toEqual([
      { up: 18, down: 1 },
      { up: 144, down: 0 },
    ])
  })

  test('a check that comes in while its hour is made is not lost', async () => {
    await watch(start + 2 * hour)
    let late: Promise<unknown> | undefined
    const racing: Context = {
      ...context,
      // On PostgreSQL the check comes to another replica; on SQLite it waits for the hour.
      results: db.engine === 'postgres' ? new ResultWriter(context) : context.results,
      db: Object.assign(Object.create(db), {
        all: db.all.bind(db),
        async commit(steps: Step[]) {
          if (late === undefined) {
            late = check(start + 7 * minute, 'offline')
            if (db.engine === 'postgres') await late
          }
          return db.commit(steps)
        },
      }),
    }
    await new RollupWorker(racing).rollUpDue()
    await late
    await new RollupWorker(context).rollUpDue()
    expect(await stored('1h')).toEqual([{ up: 6, down: 1 }])
    expect(await totals()).toEqual(alike(12, 1))
  })

  test('several workers at once do no harm', async () => {
    await watch(start + 50 * hour)
    await Promise.all([1, 2, 3].map(() => new RollupWorker(context).rollUpDue()))
    expect(await stored('1d')).toEqual([
      { up: 18, down: 0 },
      { up: 144, down: 0 },
    ])
    expect(await totals()).toEqual(alike(300))
  })

  test('the last day of a monitor that nobody checks any more is closed', async () => {
    await watch(start + hour)
    now = start + 60 * hour
    await new RollupWorker(context).rollUpDue()
    expect(await stored('1d')).toEqual([{ up: 6, down: 0 }])
    expect((await monitor()).rolled_to).toBe(bucketOf(now - hour, '1h'))
    expect(await totals()).toEqual(alike(6))
  })

  test('it says so when the store is in trouble, and goes on', async () => {
    const told: string[] = []
    const failing = { ...context, log: { error: (_: unknown, text: string) => told.push(text) } } as unknown as Context
    failing.results = Object.assign(Object.create(context.results), {
      settle: () => Promise.reject(new Error('no disk')),
    })
    const worker = new RollupWorker(failing)
    worker.start()
    await worker.stop()
    expect(told).toEqual(['rollups are held up; trying again'])
  })
})
