import { type Db, insertMonitor, insertMonitorState, migrate, migrations, type Query, type Row } from '@watchpost/store'
import { eachEngine, type Place } from '@watchpost/store/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { maintenanceHandlers } from '../api/maintenance.ts'
import { plannedAt } from '../api/maintenance-windows.ts'
import { Changes } from '../changes.ts'
import type { Context } from '../context.ts'
import type { Handler } from '../http/handler.ts'
import { ResultWriter } from '../results/writer.ts'
import { KnownWindows } from './known-windows.ts'
import { MaintenanceWorker } from './maintenance.ts'

const query = <R = Row>(name: string, sql: string): Query<R> => ({ name, sql })
const start = Date.parse('2026-11-21T09:00:00Z')
const minute = 60_000

// Two replicas on one database, and one clock that the test moves.
eachEngine((engine, newPlace) => {
  let place: Place
  let now: number
  let replicas: { context: Context; worker: MaintenanceWorker }[]

  beforeEach(async () => {
    place = await newPlace()
    now = start
    replicas = await Promise.all([replica(), replica()])
    // SQLite has one server, so one writer of results.
    if (engine === 'sqlite') second().context.results = first().context.results
    const db = replicas[0]?.context.db as Db
    await migrate(db, migrations)
    const settings = { name: 'Shop', target: 'a:1', type: 'tcp', interval_s: 60, timeout_s: 10, method: 'get' }
    const options = '{"confirmations":1,"auto_incident":true}'
    const flags = { ssl_verify: 1, enabled: 1, is_active: 1, options, created_at: 1, updated_at: 1 }
    await db.commit([
      { query: insertMonitor, params: { team_id: 1, id: 1, ...settings, ...flags } },
      { query: insertMonitorState, params: { team_id: 1, monitor_id: 1, status: 'online', due_at: start } },
      { query: query('grant', 'insert into grants (team_id, monitor_id, probe_id) values (1, 1, 1)'), params: {} },
    ])
  })
  afterEach(async () => {
    for (const { context } of replicas) {
      await context.windows.stop()
      await context.db.close()
    }
    await place.remove()
  })

  async function replica() {
    const db = await place.open()
    const log = { error: () => undefined }
    const context = { db, log, changes: new Changes(), now: () => now, eventCommitted() {} } as unknown as Context
    context.windows = new KnownWindows(context)
    context.results = new ResultWriter(context)
    return { context, worker: new MaintenanceWorker(context, 10_000) }
  }
  const [first, second] = [0, 1].map(index => () => replicas[index] as (typeof replicas)[number]) as [
    () => (typeof replicas)[number],
    () => (typeof replicas)[number],
  ]
  const sees = (status: 'online' | 'offline', at = first()) =>
    at.context.results.accept({ team_id: 0, probe_id: 1 }, [{ monitor_id: 1, status, response_time_ms: null }])
  const plan = (minutes: number) => {
    const body = { title: 'Upgrade', monitor_ids: [1], duration: minutes * 60 }
    const { createMaintenanceWindow } = maintenanceHandlers
    const handle = createMaintenanceWindow as unknown as Handler<never>['handle']
    return handle({ body, caller: { team_id: 1 }, context: first().context } as never, undefined as never)
  }
  const told = async () => {
    const rows = await first().context.db.all(query<{ event: string; body: string }>('o', 'select * from outbox'), {})
    return rows
      .map(({ event, body }) => `${event} ${JSON.parse(body).data.new_status ?? JSON.parse(body).data.status}`)
      .sort()
  }
  const state = async () =>
    (await first().context.db.one(query<Row>('s', 'select * from monitor_states'), {})) as Record<string, unknown>
  const look = () => Promise.all(replicas.map(({ worker }) => worker.look()))
  const bothKnow = () => Promise.all(replicas.map(({ context }) => context.windows.refresh()))

  test('another replica knows a window within a second, the one that made it at once', async () => {
    await second().context.windows.start()
    await plan(10)
    expect(plannedAt(first().context, 1, 1, now)).toBe(true)
    const asked = performance.now()
    while (!plannedAt(second().context, 1, 1, now)) {
      await new Promise(resolve => setTimeout(resolve, 10))
      expect(performance.now() - asked).toBeLessThan(10_000)
    }
    expect(plannedAt(second().context, 1, 1, now + 10 * minute)).toBe(false)
    expect([plannedAt(second().context, 1, 2, now), plannedAt(second().context, 2, 1, now)]).toEqual([false, false])
  })

  test('two replicas tell what is left once, after they have looked again', async () => {
    await plan(10)
    await bothKnow()
    await sees('offline')
    expect(await told()).toEqual([])
    expect(await state()).toMatchObject({ status: 'offline', announced_status: 'online' })
    now = start + 10 * minute - 1
    await look()
    expect(await state()).toMatchObject({ due_at: expect.any(Number), announced_status: 'online' })
    now = start + 10 * minute
    await look()
    await look()
    expect(await state()).toMatchObject({ due_at: now, lease_until: 0 })
    now += 9999
    await look()
    expect(await told()).toEqual([])
    now += 2
    await look()
    await look()
    now += minute
    await look()
    expect(await told()).toEqual(['incident.created investigating', 'monitor.status_changed offline'])
    expect((await state()).announced_status).toBeNull()
  })

  test('a result and a worker at the same moment tell it once', async () => {
    // Without an incident, of which a monitor has one open at most: it would hide a second event.
    const plain = `update monitors set options = '{"confirmations":1,"auto_incident":false}'`
    await first().context.db.commit([{ query: query('plain', plain), params: {} }])
    await plan(10)
    await bothKnow()
    await sees('offline')
    now = start + 10 * minute
    await look()
    now += 10_001
    await Promise.all([look(), look(), sees('offline'), sees('offline', second()), look()])
    await look()
    expect(await told()).toEqual(['monitor.status_changed offline'])
  })

  test('what is well again in time is never told', async () => {
    await plan(10)
    await bothKnow()
    await sees('offline')
    now = start + 10 * minute
    await look()
    now += 5000
    await sees('online')
    now += minute
    await look()
    expect(await told()).toEqual([])
    expect(await state()).toMatchObject({ status: 'online', announced_status: null })
  })

  test('a window that begins while it is looked at again keeps it untold, and it is looked at again after', async () => {
    await plan(10)
    await bothKnow()
    await sees('offline')
    now = start + 10 * minute
    await look()
    await plan(10)
    await bothKnow()
    now += 15_000
    await look()
    now = start + 20 * minute
    await look()
    expect(await told()).toEqual([])
    now += 10_001
    await look()
    expect(await told()).toHaveLength(2)
  })

  test('a check that began before the window, and failed in it, is kept; a late one is not told out of turn', async () => {
    await plan(10)
    now += minute
    await first().context.results.accept({ team_id: 0, probe_id: 1 }, [
      {
        monitor_id: 1,
        status: 'offline',
        response_time_ms: null,
        checked_at: new Date(start - 1000).toISOString(),
      },
    ])
    expect(await told()).toEqual([])
    expect(await state()).toMatchObject({ status: 'offline', announced_status: 'online' })
  })
})

test('to ask whether a window covers a check costs next to nothing', async () => {
  const windows = new KnownWindows({
    changes: new Changes(),
    log: {} as never,
    db: { all: async ({ name }: Query) => rows[name] } as never,
  })
  const row = { version: 1, title: 'x', description: null, created_at: 1, updated_at: 1, time_zone: 'Europe/Berlin' }
  const when = { starts_at: start, ends_at: start + minute }
  const recurrence = JSON.stringify({
    frequency: 'daily',
    interval: 1,
    weekdays: null,
    day_of_month: null,
    until: null,
  })
  const rows: Record<string, object[]> = {
    'maintenance.changesSince': [{ team_id: 1, value: 1 }],
    'maintenance.ofTeams': Array.from({ length: 100 }, (_, id) => ({
      ...row,
      ...when,
      team_id: 1,
      id,
      all_monitors: 0,
      recurrence,
    })),
    'maintenance.monitors': Array.from({ length: 100 }, (_, id) => ({ window_id: id, monitor_id: id % 10 })),
  }
  await windows.refresh()
  const rounds = 200_000
  const began = performance.now()
  let covered = 0
  for (let n = 0; n < rounds; n++) covered += Number(windows.covers(1, n % 10, start + 2 * minute + n))
  const microseconds = ((performance.now() - began) * 1000) / rounds
  expect(covered).toBe(0)
  expect(microseconds).toBeLessThan(50)
})
