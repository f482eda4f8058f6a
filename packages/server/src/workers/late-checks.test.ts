import {
  type Db,
  insertProbe,
  insertTeam,
  migrate,
  migrations,
  type Query,
  type Row,
  touchProbe,
} from '@watchpost/store'
import { eachEngine, type Place } from '@watchpost/store/testing'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { submitHeartbeat } from '../api/heartbeat.ts'
import { monitorHandlers } from '../api/monitors.ts'
import { provisionProbe } from '../api/probes.ts'
import { Changes } from '../changes.ts'
import type { Context } from '../context.ts'
import type { Handler } from '../http/handler.ts'
import { ResultWriter } from '../results/writer.ts'
import { LateChecks } from './late-checks.ts'

const query = (name: string, sql: string): Query<Row> => ({ name, sql })
const start = Date.parse('2026-11-20T12:00:00Z')

eachEngine((engine, newPlace) => {
  let place: Place
  let db: Db
  let now: number
  let context: Context
  let late: LateChecks
  let probe: { id: number; monitor_id: number }

  /** What one process works with. */
  const replica = (): Context => {
    const windows = { covers: () => false }
    const given = { db, changes: new Changes(), now: () => now, windows, eventCommitted() {} }
    return {
      ...given,
      results: new ResultWriter(given),
      config: {},
      log: pino({ level: 'silent' }),
    } as unknown as Context
  }

  beforeEach(async () => {
    place = await newPlace()
    db = await place.open()
    await migrate(db, migrations)
    now = start
    context = replica()
    late = new LateChecks(context)
    await db.commit([{ query: insertTeam, params: { id: 1, name: 't', plan: 'enterprise', created_at: now } }])
    probe = (await provisionProbe(context, 1, 'fra-1', 'eu')) as typeof probe
  })
  afterEach(async () => {
    await db.close()
    await place.remove()
  })

  const rows = async (sql: string) => {
    await context.results.settle()
    return db.all(query('test', sql), {})
  }
  const statusOf = async (id: number) =>
    (await rows(`select status from monitor_states where monitor_id = ${id}`))[0]?.status
  const status = () => statusOf(probe.monitor_id)
  const told = async () => {
    const events = await rows("select body from outbox where event = 'monitor.status_changed' order by created_at, id")
    return events.map(({ body }) => JSON.parse(String(body)).data)
  }
  const checks = async () => {
    const [row] = await rows(
      `select open_up + coalesce((select sum(up) from rollups where monitor_id = ${probe.monitor_id}), 0) as up,
         open_down + coalesce((select sum(down) from rollups where monitor_id = ${probe.monitor_id}), 0) as down
       from monitor_states where monitor_id = ${probe.monitor_id}`,
    )
    return [Number(row?.up), Number(row?.down)]
  }
  const seen = (probe_id = probe.id, team_id = 1) =>
    db.commit([{ query: touchProbe, params: { team_id, id: probe_id, at: now, probe_version: null } }])
  const beat = async (body: object = {}, by = context) => {
    await seen()
    return submitHeartbeat({ body, caller: { team_id: 1, probe_id: probe.id }, context: by } as never)
  }
  /** Every five seconds, as the worker does. */
  const pass = async (seconds: number, each: () => Promise<unknown> = async () => undefined, workers = [late]) => {
    for (const end = now + seconds * 1000; now < end; ) {
      now += 5000
      await each()
      await Promise.all(workers.map(worker => worker.look()))
    }
  }
  const patch = async (body: object) => {
    const handler = monitorHandlers.updateMonitor as Handler<never>
    const ask = { params: { id: String(probe.monitor_id) }, caller: { team_id: 1 }, context, body }
    await handler.handle(ask as never, (await handler.find?.(ask as never)) as never)
  }

  test('a probe that was never there is not lost', async () => {
    await pass(600)
    expect([await status(), await told()]).toEqual(['pending', []])
  })

  test('a probe that falls silent is offline after two intervals and a confirmation, told once', async () => {
    await pass(5)
    await beat()
    expect(await status()).toBe('online')
    const last = now
    await pass(70)
    expect(await status()).toBe('online')
    await pass(5)
    expect(await status()).toBe('offline')
    await pass(120)
    expect(await told()).toMatchObject([
      { old_status: 'pending', new_status: 'online' },
      {
        new_status: 'offline',
        error_message: `The probe has not been heard from since ${new Date(last).toISOString()}.`,
      },
    ])
    // Two to be sure, then one an interval.
    expect(await checks()).toEqual([1, 6])
    await beat()
    expect(await status()).toBe('online')
  })

  test('replicas agree on what silence is, and it counts once', async () => {
    await pass(5)
    await beat()
    const others = engine === 'postgres' ? [replica(), replica()] : []
    const workers = [late, ...others.map(each => new LateChecks(each))]
    for (const worker of workers) await worker.look()
    await pass(150, undefined, workers)
    expect([await status(), (await told()).length]).toEqual(['offline', 2])
    expect((await checks())[1]).toBe(4)
  })

  test('a server that was away itself does not hold it against the probe', async () => {
    await pass(5)
    await beat()
    now += 3_600_000
    const restarted = new LateChecks(context)
    await pass(65, undefined, [restarted])
    expect(await status()).toBe('online')
    await pass(15, undefined, [restarted])
    expect(await status()).toBe('offline')
    await beat()
    // The same process, suspended.
    now += 3_600_000
    await pass(65, undefined, [restarted])
    expect(await status()).toBe('online')
  })

  test('a probe without heartbeats lives while it fetches and reports', async () => {
    await pass(300, () => seen())
    expect(await status()).toBe('online')
    const [up, down] = await checks()
    expect([up === 10 || up === 11, down]).toEqual([true, 0])
    await pass(90)
    expect(await status()).toBe('offline')
    await pass(5, () => seen())
    expect(await status()).toBe('online')
  })

  test('with heartbeats, mere contact is no check', async () => {
    await pass(5)
    await beat()
    await pass(60, () => seen())
    expect(await checks()).toEqual([1, 0])
  })

  test('a heartbeat that comes twice is one check, and the next is asked for in the middle of its slot', async () => {
    const { next_heartbeat_seconds } = await beat()
    await beat()
    expect(await checks()).toEqual([1, 0])
    expect(next_heartbeat_seconds).toBeGreaterThanOrEqual(15)
    expect(next_heartbeat_seconds).toBeLessThanOrEqual(45)
    now += next_heartbeat_seconds * 1000
    expect((await beat()).next_heartbeat_seconds).toBe(30)
    expect(await checks()).toEqual([2, 0])
  })

  test('paused it is silent; resumed it is pending, and a probe that is gone is found out', async () => {
    await pass(5)
    await beat()
    await patch({ enabled: false })
    await pass(200)
    expect([await status(), await checks()]).toEqual(['paused', [1, 0]])
    await beat()
    expect(await checks()).toEqual([1, 0])
    await patch({ enabled: true })
    expect(await status()).toBe('pending')
    await beat()
    expect(await status()).toBe('online')
    await patch({ enabled: false })
    await patch({ enabled: true })
    await pass(65)
    expect(await status()).toBe('pending')
    await pass(20)
    expect(await status()).toBe('offline')
  })

  test('resumed within the slot of its last heartbeat it is heard again', async () => {
    await beat()
    await patch({ enabled: false })
    await patch({ enabled: true })
    await beat()
    expect([await status(), await checks()]).toEqual(['online', [2, 0]])
  })

  test('a machine that exceeds its limit is offline, by name and value', async () => {
    await patch({ options: { max_memory_percent: 90 } })
    const host = { memory_total_bytes: 1000, memory_used_bytes: 950 }
    await beat({ host })
    await beat({ host: { memory_total_bytes: 1000, memory_used_bytes: 100 } })
    expect(await status()).toBe('pending')
    now += 30_000
    await beat({ host })
    expect(await status()).toBe('offline')
    expect((await told())[0].error_message).toBe('Memory is 95 % in use; max_memory_percent is 90.')
  })

  test('probes of the instance, and those from before, are given a monitor, once', async () => {
    const probes = [
      { team_id: 0, id: 50, name: 'beside the server', region: 'default', hash: 'a', created_at: 1, watched: 0 },
      { team_id: 1, id: 51, name: 'from before', region: 'default', hash: 'b', created_at: 1, watched: 0 },
    ]
    await db.commit(probes.map(params => ({ query: insertProbe, params })))
    await Promise.all([late, new LateChecks(context)].map(each => each.look()))
    await late.look()
    expect(await rows("select team_id, name, probe_id from monitors where type = 'server' order by probe_id")).toEqual([
      { team_id: 1, name: 'fra-1', probe_id: probe.id },
      { team_id: 1, name: 'beside the server', probe_id: 50 },
      { team_id: 1, name: 'from before', probe_id: 51 },
    ])
    await seen(50, 0)
    await late.look()
    const [own] = await rows('select id from monitors where probe_id = 50')
    expect(await statusOf(Number(own?.id))).toBe('online')
  })
})
