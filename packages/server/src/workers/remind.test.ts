import {
  type Db,
  insertChannel,
  insertMonitor,
  insertMonitorState,
  migrate,
  migrations,
  type Query,
} from '@watchpost/store'
import { eachEngine, type Place } from '@watchpost/store/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { monitorHandlers } from '../api/monitors.ts'
import { Changes } from '../changes.ts'
import type { Context } from '../context.ts'
import type { Handler } from '../http/handler.ts'
import { ResultWriter } from '../results/writer.ts'
import { remind } from './remind.ts'

const query = (name: string, sql: string): Query => ({ name, sql })
const minute = 60_000

eachEngine((_engine, newPlace) => {
  let place: Place
  let db: Db
  let now = 0
  let context: Context
  let monitor = 0
  let planned: boolean
  const logged: string[] = []

  beforeAll(async () => {
    place = await newPlace()
    db = await place.open()
    await migrate(db, migrations)
    planned = false
    const windows = { covers: () => planned }
    const given = { db, changes: new Changes(), now: () => now, windows, eventCommitted() {} }
    const log = { error: (_: object, message: string) => logged.push(message) }
    context = { ...given, log, results: new ResultWriter(given), config: {} } as unknown as Context
    const channel = { name: 'c', settings: '', events: null, monitor_ids: null, enabled: 1, created_at: 0 }
    for (const [id, type] of [
      [1, 'webhook'],
      [2, 'email'],
    ] as const) {
      await db.commit([{ query: insertChannel, params: { ...channel, team_id: 1, id, type } }])
    }
  })
  afterAll(async () => {
    await db.close()
    await place.remove()
  })

  /** A new monitor that has just gone offline, a minute after the epoch. */
  beforeEach(async () => {
    now = minute
    await db.commit([
      { query: query('clean', 'delete from outbox'), params: {} },
      { query: query('cleanOutages', 'delete from outages'), params: {} },
    ])
    await newOutage()
  })

  const newOutage = async () => {
    monitor++
    const settings = { name: 'Shop', target: 'a:1', type: 'tcp', interval_s: 60, timeout_s: 10, method: 'get' }
    const flags = { ssl_verify: 1, enabled: 1, is_active: 1, created_at: 1, updated_at: 1 }
    const options = JSON.stringify({ confirmations: 1, reminder_interval: 60 })
    await db.commit([
      { query: insertMonitor, params: { team_id: 1, id: monitor, ...settings, ...flags, options } },
      { query: insertMonitorState, params: { team_id: 1, monitor_id: monitor, status: 'pending', due_at: 1 } },
      {
        query: query('grant', 'insert into grants (team_id, monitor_id, probe_id) values (1, @monitor_id, 1)'),
        params: { monitor_id: monitor },
      },
    ])
    await becomes('offline')
  }

  const becomes = (status: 'online' | 'offline') =>
    context.results.accept({ team_id: 0, probe_id: 1 }, [
      { monitor_id: monitor, status, response_time_ms: null, error_message: 'refused' },
    ])
  const patch = async (body: object) => {
    const handler = monitorHandlers.updateMonitor as Handler<never>
    const ask = { params: { id: String(monitor) }, caller: { team_id: 1 }, context, body }
    await handler.handle(ask as never, (await handler.find?.(ask as never)) as never)
  }
  const alerts = async () => {
    const rows = await db.all<{ body: string }>(
      query('alerts', "select body from outbox where event = 'alert.triggered' order by created_at") as Query<never>,
      {},
    )
    return rows.map(row => JSON.parse(row.body))
  }
  /** Moves the clock to a second of the outage, and looks as the worker does. */
  const at = async (second: number) => {
    now = minute + second * 1000
    await remind(context)
    return (await alerts()).length
  }

  test('in maintenance nobody is reminded; after it they are, at the moments they would have been', async () => {
    planned = true
    expect(await at(60)).toBe(0)
    expect(await at(121)).toBe(0)
    planned = false
    expect(await at(179)).toBe(0)
    expect(await at(180)).toBe(1)
  })

  test('people are reminded every interval, at each due moment once', async () => {
    expect(await at(59)).toBe(0)
    expect(await at(60)).toBe(1)
    expect(await at(119)).toBe(1)
    expect(await at(121)).toBe(2)
    expect(await at(180)).toBe(3)
    expect((await alerts())[0]).toEqual({
      event: 'alert.triggered',
      timestamp: '1970-01-01T00:02:00.000Z',
      data: {
        monitor_id: monitor,
        monitor_name: 'Shop',
        status: 'offline',
        reason: 'reminder',
        since: '1970-01-01T00:01:00.000Z',
        error_message: 'refused',
        channel_ids: [2],
      },
    })
  })

  test('moments that nobody was there to keep are told by one reminder, and the rhythm stays', async () => {
    expect(await at(330)).toBe(1)
    expect(await at(359)).toBe(1)
    expect(await at(360)).toBe(2)
  })

  test('of replicas that look at the same moment one reminds', async () => {
    now = 2 * minute
    const other = await place.open()
    const theirs = { ...context, db: other }
    await Promise.all([remind(context), remind(theirs), remind(context), remind(theirs)])
    expect(await alerts()).toHaveLength(1)
    await other.close()
  })

  test('one that cannot be told of is put off, and holds up nobody', async () => {
    const damaged = monitor
    await db.commit([
      {
        query: query('damage', 'update monitors set options = @options where id = @id'),
        params: { id: damaged, options: '{' },
      },
      // The first to be looked at.
      {
        query: query('first', 'update outages set remind_at = 1 where monitor_id = @id'),
        params: { id: damaged },
      },
    ])
    await newOutage()
    const alerted = async () => (await alerts()).map(({ data }) => data.monitor_id)
    await at(60)
    expect(await alerted()).toEqual([monitor])
    expect(logged).toEqual(['a reminder failed; trying again in ten minutes'])
    await at(61)
    expect(logged).toHaveLength(1)
    const mended = JSON.stringify({ reminder_interval: 60 })
    await db.commit([
      {
        query: query('mend', 'update monitors set options = @options where id = @id'),
        params: { id: damaged, options: mended },
      },
    ])
    await at(660)
    expect(await alerted()).toContain(damaged)
  })

  test('a recovery ends it', async () => {
    await at(60)
    await becomes('online')
    expect(await at(600)).toBe(1)
  })

  test('a pause ends it, until the monitor is offline again; the outage began when it began', async () => {
    await patch({ enabled: false })
    expect(await at(600)).toBe(0)
    await patch({ enabled: true })
    expect(await at(700)).toBe(0)
    await becomes('offline')
    expect(await at(759)).toBe(0)
    expect(await at(760)).toBe(1)
    expect((await alerts())[0].data.since).toBe('1970-01-01T00:01:00.000Z')
  })

  test('an interval that is set, changed or taken away in the outage holds from the last alert on', async () => {
    await patch({ options: { confirmations: 1, reminder_interval: 300 } })
    expect(await at(299)).toBe(0)
    expect(await at(300)).toBe(1)
    await patch({ options: { confirmations: 1 } })
    expect(await at(3000)).toBe(1)
    await patch({ options: { confirmations: 1, reminder_interval: 600 } })
    expect(await at(3000)).toBe(2)
  })

  test('a deleted monitor is forgotten', async () => {
    const handler = monitorHandlers.deleteMonitor as Handler<never>
    const ask = { params: { id: String(monitor) }, caller: { team_id: 1 }, context }
    await handler.handle(ask as never, (await handler.find?.(ask as never)) as never)
    expect(await at(600)).toBe(0)
    expect(await db.all(query('outages', 'select * from outages'), {})).toEqual([])
  })

  test('a recovery in the same moment is not followed by a reminder', async () => {
    now = 2 * minute
    await Promise.all([becomes('online'), remind(context)])
    const before = (await alerts()).length
    expect(await at(600)).toBe(before)
  })
})
