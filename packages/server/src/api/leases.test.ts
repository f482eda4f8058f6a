import {
  type Db,
  insertMonitor,
  insertMonitorState,
  insertProbe,
  loseLeases,
  migrate,
  migrations,
  startRegion,
} from '@watchpost/store'
import { eachEngine, type Place } from '@watchpost/store/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Changes } from '../changes.ts'
import type { Context } from '../context.ts'
import { LiveProbes } from '../results/live-probes.ts'
import { ResultWriter } from '../results/writer.ts'
import { lease, type Wish } from './leases.ts'

const T = Date.parse('2026-11-21T10:00:00Z')
const options = JSON.stringify({ confirmations: 2, retry_interval: 5 })

/** Replicas on one store: each knows of probes what the store says. */
class Replica {
  now = T
  readonly context: Context
  readonly writer: ResultWriter

  constructor(db: Db, startedAt = 0) {
    const now = () => this.now
    const live = new LiveProbes(db, now)
    const windows = { covers: () => false }
    const given = { db, changes: new Changes(), windows, live, now, eventCommitted: () => undefined }
    this.writer = new ResultWriter(given)
    this.context = { ...given, results: this.writer, startedAt } as unknown as Context
  }

  /** What a probe is given: monitors, in order. */
  async ask(probe_id: number, more: Partial<Wish> = {}, team_id = 1): Promise<number[]> {
    const { rows } = await this.poll(probe_id, more, team_id)
    return rows.map(row => row.id).sort((a, b) => a - b)
  }

  async poll(probe_id: number, more: Partial<Wish> = {}, team_id = 1) {
    await this.writer.settle()
    const wish = { lease_id: `l${probe_id}-${this.now}`, limit: 1000, horizon: 60, release: false, ...more }
    return lease(this.context, { team_id, probe_id, region: probe_id < 10 ? 'eu' : 'us' }, wish)
  }

  async says(probe_id: number, monitor_id: number, status: 'online' | 'offline') {
    const checked_at = new Date(this.now).toISOString()
    const sent = { monitor_id, status, response_time_ms: 5, checked_at }
    const [answer] = await this.writer.accept({ team_id: 1, probe_id }, [sent])
    if (answer instanceof Error) throw answer
    return answer as { status: string; next_due_at: string | null }
  }
}

eachEngine((_engine, newPlace) => {
  let place: Place
  let db: Db
  beforeEach(async () => {
    place = await newPlace()
    db = await place.open()
    await migrate(db, migrations)
    for (const id of [1, 2, 3, 11]) {
      const row = { id, name: `p${id}`, region: id < 10 ? 'eu' : 'us', hash: `h${id}`, created_at: T }
      await db.commit([{ query: insertProbe, params: { team_id: 1, ...row, watched: 1 } }])
    }
  })
  afterEach(async () => {
    await db.close()
    await place.remove()
  })

  /** Monitors 1 to `count`, due now. */
  async function monitors(count: number, regions: string[] = [], interval_s = 10): Promise<number[]> {
    const ids = Array.from({ length: count }, (_, index) => index + 1)
    for (const id of ids) {
      const settings = { name: 'm', target: 'a:1', type: 'tcp', interval_s, timeout_s: 5, method: 'get' }
      const said = regions.length === 0 ? options : JSON.stringify({ ...JSON.parse(options), regions })
      const flags = { ssl_verify: 1, enabled: 1, is_active: 1, options: said, created_at: T, updated_at: T }
      const key = { team_id: 1, monitor_id: id }
      const due_at = regions.length === 0 ? T : null
      await db.commit([
        { query: insertMonitor, params: { team_id: 1, id, ...settings, ...flags } },
        { query: insertMonitorState, params: { ...key, status: 'pending', due_at } },
        ...regions.map(region => ({ query: startRegion, params: { ...key, region, since: T, due_at: T } })),
      ])
    }
    return ids
  }

  test('two that ask ahead share what is due, wherever they ask', async () => {
    const [one, two] = [new Replica(db), new Replica(db)]
    await Promise.all([one.ask(1), two.ask(2)])
    const ids = await monitors(20)
    one.now = two.now = T + 1500
    const [a, b] = await Promise.all([one.ask(1), two.ask(2)])
    expect([a.length, b.length]).toEqual([10, 10])
    expect([...a, ...b].sort((x, y) => x - y)).toEqual(ids)
  })

  test('the same within a region, where others have no part', async () => {
    const replica = new Replica(db)
    for (const id of [1, 2, 3, 11]) await replica.ask(id)
    await monitors(30, ['eu'])
    replica.now = T + 1500
    const shares = await Promise.all([1, 2, 3].map(id => replica.ask(id)))
    expect(shares.map(share => share.length)).toEqual([10, 10, 10])
    expect(new Set(shares.flat()).size).toBe(30)
    replica.now = T + 600_000
    expect(await replica.ask(11)).toEqual([])
  })

  test('a limit holds for both kinds together', async () => {
    const replica = new Replica(db)
    await monitors(3, ['eu'])
    await db.commit([
      { query: insertMonitorState, params: { team_id: 1, monitor_id: 9, status: 'pending', due_at: T } },
    ])
    expect(await replica.ask(1, { limit: 2 })).toHaveLength(2)
    expect(await replica.ask(1, { limit: 2 })).toEqual([3])
  })

  test('what nobody takes in its time is anybody’s; who asks for what is due takes it at once', async () => {
    const replica = new Replica(db)
    for (const id of [1, 2]) await replica.ask(id)
    await monitors(4)
    replica.now = T + 1000
    expect(await replica.ask(1)).toEqual([2, 4])
    expect(await replica.ask(3, { horizon: 0 })).toEqual([1, 3])
    await monitorsDueAgain(replica.now)
    expect(await replica.ask(1)).toHaveLength(2)
    replica.now += 3000
    expect(await replica.ask(1)).toHaveLength(2)
  })

  async function monitorsDueAgain(at: number) {
    const sql = 'update monitor_states set lease_until = 0, due_at = @at'
    await db.commit([{ query: { name: 'test.due', sql }, params: { at } }])
  }

  test('a dead probe’s share passes on within two intervals, and it is told when it is back', async () => {
    const replica = new Replica(db)
    const ids = await monitors(6)
    expect(await replica.ask(1, { horizon: 300 })).toEqual(ids)
    replica.now = T + 10_000
    expect(await replica.ask(2)).toEqual([])
    replica.now = T + 17_000
    expect(await replica.ask(2)).toEqual(ids)
    // It is back, and holds none of them; those it is given again are its own.
    replica.now = T + 30_000
    const back = await replica.poll(1, { horizon: 300 })
    expect([back.rows, back.lost]).toEqual([[], ids])
    await monitorsDueAgain(replica.now - 5000)
    expect(await replica.ask(1)).toEqual(ids)
    expect((await replica.poll(1)).lost).toEqual([])
  })

  test('in a region, too', async () => {
    const replica = new Replica(db)
    const ids = await monitors(4, ['eu', 'us'])
    expect(await replica.ask(1, { horizon: 300 })).toEqual(ids)
    replica.now = T + 17_000
    expect(await replica.ask(2)).toEqual(ids)
    expect((await replica.poll(1)).lost).toEqual(ids)
  })

  test('a server that has just begun has not heard from anybody, and takes nothing away', async () => {
    const ids = await monitors(4)
    expect(await new Replica(db).ask(1, { horizon: 300 })).toEqual(ids)
    const restarted = new Replica(db, T + 60_000)
    restarted.now = T + 62_000
    expect(await restarted.ask(2)).toEqual([])
    restarted.now = T + 74_000
    expect(await restarted.ask(1)).toEqual([])
    restarted.now = T + 76_000
    expect(await restarted.ask(2)).toEqual([])
  })

  test('a lease without a horizon lasts twice the timeout and half a minute, whoever is heard from', async () => {
    const replica = new Replica(db)
    const ids = await monitors(2)
    expect(await replica.ask(1, { horizon: 0 })).toEqual(ids)
    replica.now = T + 39_000
    expect(await replica.ask(2)).toEqual([])
    replica.now = T + 40_000
    expect(await replica.ask(2)).toEqual(ids)
  })

  test.each([1, 2])('a failure of monitor %i is confirmed by another probe', async asked => {
    const replica = new Replica(db)
    await replica.ask(2)
    // Whosever share it is.
    const id = asked
    await monitors(2, [], 300)
    replica.now = T + 3000
    expect(await replica.ask(1)).toEqual([1, 2])
    const first = await replica.says(1, id, 'offline')
    // Not by this one: it must not look by itself.
    expect(first).toMatchObject({ status: 'pending', next_due_at: null })
    replica.now += 1000
    expect(await replica.ask(1)).toEqual([])
    expect(await replica.ask(2)).toEqual([id])
    replica.now += 4000
    expect((await replica.says(2, id, 'offline')).status).toBe('offline')
  })

  test('nobody takes it: it comes back', async () => {
    const replica = new Replica(db)
    await replica.ask(2)
    const [id = 0] = await monitors(1, ['eu'], 300)
    replica.now = T + 3000
    await replica.ask(1)
    expect((await replica.says(1, id, 'offline')).next_due_at).toBeNull()
    replica.now = T + 8000
    expect(await replica.ask(1)).toEqual([])
    replica.now = T + 11_001
    expect(await replica.ask(1)).toEqual([id])
  })

  test('where there is no other probe it stays with the one', async () => {
    const replica = new Replica(db)
    await replica.ask(11)
    const [id = 0] = await monitors(1, ['eu'], 300)
    await replica.ask(1)
    expect((await replica.says(1, id, 'offline')).next_due_at).toBe(new Date(T + 5000).toISOString())
  })

  test('what is taken by a change of the monitor is told, until it is handed out again', async () => {
    const replica = new Replica(db)
    const [id = 0] = await monitors(1)
    await replica.ask(1)
    const params = { team_id: 1, monitor_id: id, now: T }
    await db.commit(loseLeases.map(query => ({ query, params })))
    expect([(await replica.poll(1)).lost, (await replica.poll(2)).lost]).toEqual([[id], []])
    await monitorsDueAgain(T)
    replica.now = T + 4000
    expect(await replica.poll(1)).toMatchObject({ rows: [{ id }], lost: [] })
  })
})
