import { UsageThreshold } from '@watchpost/contract'
import {
  addTopUp,
  ConflictError,
  type Db,
  deleteApp,
  insertApp,
  insertTeam,
  migrate,
  migrations,
  type Query,
  setTeamQuota,
} from '@watchpost/store'
import { eachEngine, type Place } from '@watchpost/store/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Handler } from '../http/handler.ts'
import { compileValidator } from '../http/validate.ts'
import { usageHandlers } from './usage.ts'
import { type OfApp, readBudget, reservation, reserve, type Wanted } from './usage-steps.ts'

const query = <R>(name: string, sql: string): Query<R> => ({ name, sql })

const wipe = ['usage', 'top_ups', 'team_quotas', 'outbox', 'counted', 'apps'].map(table =>
  query(`${table}.wipe`, `delete from ${table}`),
)
const count = query('counted.add', 'insert into counted (amount) values (@amount)')
const counted = query<{ total: number }>('counted.total', 'select coalesce(sum(amount), 0) as total from counted')
const outbox = query<{ body: string }>('outbox.all', 'select body from outbox order by created_at, id')
const app: OfApp = { team_id: 1, id: 7, name: 'Shop' }

eachEngine((_engine, newPlace) => {
  let place: Place
  let db: Db
  let other: Db
  const clock = { now: Date.parse('2026-11-21T09:30:00Z') }
  beforeAll(async () => {
    place = await newPlace()
    db = await place.open()
    await migrate(db, migrations)
    await db.script('create table counted (amount bigint not null)')
    other = await place.open()
    await db.commit([{ query: insertTeam, params: { id: 1, name: 'T', plan: 'free', created_at: 1 } }])
  })
  beforeEach(async () => {
    clock.now = Date.parse('2026-11-21T09:30:00Z')
    const keys = { app_token_hash: 'a', app_token: 'a', api_key_hash: 'b', api_key: 'b' }
    const row = { team_id: 1, id: 7, name: 'Shop', allowed_origins: '[]', ...keys, created_at: 1, updated_at: 1 }
    await db.commit([...wipe.map(each => ({ query: each, params: {} })), { query: insertApp, params: row }])
  })
  afterAll(async () => {
    await other.close()
    await db.close()
    await place.remove()
  })

  const context = (by: Db) => ({ db: by, now: () => clock.now, eventCommitted: () => undefined })
  const limit = (quota: string, quota_limit: number | null) =>
    db.commit([{ query: setTeamQuota, params: { team_id: 1, quota, quota_limit } }])
  const topUp = (quota: string, amount: number) =>
    db.commit([{ query: addTopUp, params: { team_id: 1, app_id: 7, quota, amount, most: 1e15 }, expect: 1 }])
  /** Reserves and writes beside it how much was accepted. */
  const take = async (wanted: Wanted, by = db) => {
    const { admitted } = await reserve(context(by), app, wanted, admitted => [
      { query: count, params: { amount: Object.values(admitted).reduce((sum, each) => sum + each.accepted, 0) } },
    ])
    return admitted
  }
  const spans = async (amount: number, by = db) => (await take({ otlp_spans: amount }, by)).otlp_spans
  const state = async () => (await readBudget(db, app, clock.now)).quotas.otlp_spans
  const told = async () =>
    (await db.all(outbox, {}))
      .map(({ body }) => JSON.parse(body).data)
      .map(({ reason, quota_type, threshold }) => `${reason} ${quota_type} ${threshold}`)
      .toSorted()
  const each = (quota: string) => ['100', '50', '80'].map(threshold => `quota_used ${quota} ${threshold}`)

  test('the limit is exact, however many reserve at once on two servers, and each threshold is told of once', async () => {
    await limit('otlp_spans', 1000)
    const wanted = Array.from({ length: 200 }, (_, index) => 1 + (index % 12))
    const sum = wanted.reduce((a, b) => a + b, 0)
    expect(sum).toBeGreaterThan(1000)
    const all = await Promise.all(wanted.map((amount, index) => spans(amount, index % 2 ? db : other)))
    const total = (field: 'accepted' | 'rejected' | 'fromTopUp') => all.reduce((at, one) => at + (one?.[field] ?? 0), 0)
    expect([total('accepted'), total('rejected'), total('fromTopUp')]).toEqual([1000, sum - 1000, 0])
    expect((await state()).row).toMatchObject({ used: 1000, from_top_up: 0, alerted: 100 })
    expect(await db.one(counted, {})).toEqual({ total: 1000 })
    expect(await told()).toEqual(each('otlp_spans'))
  })

  test('a top-up is drawn on to the last, and no further; its end is told of once', async () => {
    await limit('otlp_spans', 100)
    await topUp('otlp_spans', 200)
    const all = await Promise.all(Array.from({ length: 120 }, (_, index) => spans(3, index % 2 ? db : other)))
    expect(all.reduce((at, one) => at + (one?.accepted ?? 0), 0)).toBe(300)
    expect(all.reduce((at, one) => at + (one?.fromTopUp ?? 0), 0)).toBe(200)
    expect(await state()).toMatchObject({ row: { used: 100, from_top_up: 200 }, topUp: { balance: 0 } })
    expect(await db.one(counted, {})).toEqual({ total: 300 })
    expect(await told()).toEqual(['low_balance otlp_spans 10', ...each('otlp_spans')])
  })

  test('a top-up that comes while others draw is neither lost nor counted twice', async () => {
    await limit('otlp_spans', 0)
    await topUp('otlp_spans', 50)
    const draws = Array.from({ length: 60 }, (_, index) => spans(2, index % 2 ? db : other))
    const adds = Array.from({ length: 5 }, () => topUp('otlp_spans', 10))
    const all = await Promise.all(draws)
    await Promise.all(adds)
    const drawn = all.reduce((at, one) => at + (one?.accepted ?? 0), 0)
    expect((await state()).topUp.balance).toBe(100 - drawn)
    expect(await db.one(counted, {})).toEqual({ total: drawn })
  })

  test('after the next top-up a low balance is told of again', async () => {
    await limit('otlp_spans', 0)
    for (const _ of [1, 2]) {
      await topUp('otlp_spans', 100)
      await spans(89)
      await spans(1)
    }
    expect(await told()).toEqual(['low_balance otlp_spans 10'])
    await spans(11)
    expect(await told()).toEqual(['low_balance otlp_spans 10', 'low_balance otlp_spans 10'])
  })

  test('without a limit everything fits, nothing is told of, and the balance stays', async () => {
    await limit('logs_bytes', null)
    await topUp('logs_bytes', 5)
    await Promise.all(Array.from({ length: 20 }, () => take({ logs_bytes: 4_000_000_000 })))
    const { row, topUp: balance } = (await readBudget(db, app, clock.now)).quotas.logs_bytes
    expect([row?.used, balance.balance]).toEqual([80_000_000_000, 5])
    expect(await told()).toEqual([])
  })

  test('several quotas are one commit: all of it, or nothing', async () => {
    expect(await take({ rum_sessions: 1, rum_events: 3 })).toEqual({
      rum_sessions: { accepted: 1, fromTopUp: 0, rejected: 0 },
      rum_events: { accepted: 3, fromTopUp: 0, rejected: 0 },
    })
    const failing = { query: query('counted.none', 'delete from counted where amount < 0'), params: {}, expect: 1 }
    const budget = await readBudget(db, app, clock.now)
    const { steps } = reservation(budget, { rum_sessions: 1, rum_events: 3 }, clock.now)
    await expect(db.commit([...steps, failing])).rejects.toThrow(ConflictError)
    const { quotas } = await readBudget(db, app, clock.now)
    expect([quotas.rum_sessions.row?.used, quotas.rum_events.row?.used]).toEqual([1, 3])
  })

  test('a new month begins with nothing used, and tells anew', async () => {
    await limit('otlp_spans', 10)
    clock.now = Date.parse('2026-11-30T23:59:59.999Z')
    expect(await spans(15)).toEqual({ accepted: 10, fromTopUp: 0, rejected: 5 })
    expect(await spans(1)).toEqual({ accepted: 0, fromTopUp: 0, rejected: 1 })
    clock.now += 1
    expect((await readBudget(db, app, clock.now)).period).toBe('2026-12')
    expect(await spans(5)).toEqual({ accepted: 5, fromTopUp: 0, rejected: 0 })
    expect(await told()).toEqual([...each('otlp_spans'), 'quota_used otlp_spans 50'].toSorted())
  })

  test('a threshold that was told of is not told of again under another limit', async () => {
    await limit('otlp_spans', 10)
    await spans(9)
    await limit('otlp_spans', 100)
    await spans(50)
    expect(await told()).toEqual(['quota_used otlp_spans 50', 'quota_used otlp_spans 80'])
    await spans(41)
    expect(await told()).toEqual(each('otlp_spans'))
    await limit('otlp_spans', 1000)
    expect(await Promise.all([spans(800), spans(200)])).toHaveLength(2)
    expect((await state()).row?.used).toBe(1000)
  })

  test('what was decided under another limit or top-up, and told of since, is decided again', async () => {
    const stale = await readBudget(db, app, clock.now)
    await limit('otlp_spans', 10)
    await spans(5)
    await expect(db.commit(reservation(stale, { otlp_spans: 1 }, clock.now).steps)).rejects.toThrow('usage.add')
    await limit('otlp_spans', 5)
    await topUp('otlp_spans', 100)
    const poorer = await readBudget(db, app, clock.now)
    await topUp('otlp_spans', 1000)
    await expect(db.commit(reservation(poorer, { otlp_spans: 1 }, clock.now).steps)).rejects.toThrow('topUp.draw')
  })

  test('the usage endpoint says what was used and what is left; more than all of it is not left', async () => {
    await spans(1234)
    await take({ rum_events: 10_000 })
    await topUp('rum_events', 10)
    await take({ rum_events: 4 })
    await take({ logs_bytes: 100_000_000 })
    await limit('logs_bytes', 99_000_000)
    const { handle } = usageHandlers.getUsage as Handler<never>
    expect(
      await handle(
        { context: { ...context(db), telemetry: { settle: async () => undefined } } } as never,
        app as never,
      ),
    ).toEqual({
      period: '2026-11',
      quotas: {
        rum_sessions: { limit: 1000, used: 0, remaining: 1000 },
        rum_events: { limit: 10_000, used: 10_000, remaining: 0 },
        replay_bytes: { limit: null, used: 0, remaining: null },
        otlp_spans: { limit: 10_000, used: 1234, remaining: 8766 },
        logs_bytes: { limit: 99_000_000, used: 100_000_000, remaining: 0 },
      },
      forecast: expect.objectContaining({ rum_sessions: null, rum_events: expect.any(String), replay_bytes: null }),
      overage_handling: 'reject',
      top_up_balance: { sessions: 0, events: 6, spans: 0, logs_bytes: 0 },
    })
  })

  test('what is told has the shape of the contract', async () => {
    await limit('otlp_spans', 10)
    await topUp('otlp_spans', 10)
    await spans(8)
    await spans(12)
    const bodies = (await db.all(outbox, {})).map(({ body }) => JSON.parse(body))
    const { errors } = compileValidator(UsageThreshold)
    expect(bodies.map(errors)).toEqual([{}, {}, {}, {}])
    const data = { app_id: 7, app_name: 'Shop', quota_type: 'otlp_spans', period: '2026-11', limit: 10 }
    const reset_at = '2026-12-01T00:00:00.000Z'
    const at = (reason: string, threshold: number) =>
      bodies.find(({ data }) => data.reason === reason && data.threshold === threshold)
    expect(at('quota_used', 80)).toEqual({
      event: 'usage.threshold',
      timestamp: '2026-11-21T09:30:00.000Z',
      data: {
        ...data,
        reason: 'quota_used',
        severity: 'warning',
        threshold: 80,
        used: 8,
        top_up_balance: 10,
        reset_at,
      },
    })
    expect(at('quota_used', 50).data.severity).toBe('info')
    expect(at('quota_used', 100).data).toMatchObject({ severity: 'critical', used: 10, top_up_balance: 0 })
    expect(at('low_balance', 10).data).toMatchObject({ severity: 'warning', used: 10, top_up_balance: 0 })
  })

  test('of an app that is gone nothing is counted', async () => {
    const budget = await readBudget(db, app, clock.now)
    await db.commit(deleteApp.map(each => ({ query: each, params: { team_id: 1, id: 7 } })))
    await expect(db.commit(reservation(budget, { otlp_spans: 1 }, clock.now).steps)).rejects.toThrow(ConflictError)
    await expect(spans(1)).rejects.toMatchObject({ code: 'unauthorized' })
    expect((await state()).row).toBeUndefined()
  })
})
