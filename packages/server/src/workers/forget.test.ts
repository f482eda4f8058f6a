import { type Db, migrate, migrations, type Query } from '@watchpost/store'
import { eachEngine, type Place } from '@watchpost/store/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forget } from './forget.ts'

const query = (name: string, sql: string): Query => ({ name, sql })
const day = 86_400_000
const now = 400 * day

eachEngine((_engine, newPlace) => {
  let place: Place
  let db: Db
  beforeAll(async () => {
    place = await newPlace()
    db = await place.open()
    await migrate(db, migrations)
  })
  afterAll(async () => {
    await db.close()
    await place.remove()
  })

  const event = (id: string, age: number, dispatched = true) => ({
    team_id: 1,
    id,
    event: 'incident.created',
    body: '{}',
    created_at: now - age * day,
    dispatched_at: dispatched ? 1 : null,
  })
  const delivery = (outbox_id: string, age: number, next_at: number | null) => ({
    team_id: 1,
    outbox_id,
    channel_id: 1,
    attempts: 1,
    next_at,
    lease_until: 0,
    created_at: now - age * day,
  })
  const left = async (table: string, column: string) =>
    (
      await db.all<{ id: string }>(
        query(`left ${table}`, `select ${column} as id from ${table} order by 1`) as Query<never>,
        {},
      )
    ).map(({ id }) => id)

  test('who changed what is forgotten after a year', async () => {
    const entry = (id: number, age: number) => ({
      ...{ team_id: 1, id, actor: 'token', actor_id: 1, actor_name: 'ci', user_id: null },
      ...{ operation: 'updateTeam', kind: 'team', resource_id: 1, resource_name: 'Acme', address: '192.0.2.1' },
      ...{ fields: '["name"]', counts: null, created_at: now - age * day },
    })
    await db.append('audit_log', [entry(1, 366), entry(2, 365), entry(3, 364)])
    await forget({ db, now: () => now })
    expect(await left('audit_log', 'id')).toEqual([3])
  })

  test('keys of requests are forgotten after a day, however many they are', async () => {
    const key = (name: string, age: number) => ({
      team_id: 1,
      caller: 'token 1',
      key: name,
      request: 'x',
      answer: null,
      created_at: now - age * day,
    })
    const many = Array.from({ length: 700 }, (_, index) => key(`old${index}`, 1.1))
    await db.append('idempotency_keys', [...many, key('young', 0.9)])
    await forget({ db, now: () => now })
    expect(await left('idempotency_keys', 'key')).toEqual(['young'])
  })

  test('verdicts are kept for thirty days, lost leases until they would have run out', async () => {
    const verdict = { team_id: 1, monitor_id: 1, old_status: 'online', new_status: 'offline', votes: null }
    await db.append('verdicts', [
      { ...verdict, seq: 1, decided_at: now - 31 * day },
      { ...verdict, seq: 2, decided_at: now - 29 * day },
    ])
    const lost = { probe_id: 1, monitor_id: 1 }
    await db.append('lost_leases', [
      { ...lost, lost_until: now - 1 },
      { ...lost, monitor_id: 2, lost_until: now + 1 },
    ])
    await forget({ db, now: () => now })
    expect([await left('verdicts', 'seq'), await left('lost_leases', 'monitor_id')]).toEqual([[2], [2]])
  })

  test('what is settled and thirty days old is forgotten, however much it is, with its events', async () => {
    const many = Array.from({ length: 1200 }, (_, index) => `old${index}`)
    await db.append(
      'outbox',
      many.map(id => event(id, 31)),
    )
    await db.append(
      'deliveries',
      many.map(id => delivery(id, 31, null)),
    )
    await db.append('outbox', [
      event('young', 29),
      event('waiting', 31),
      event('undispatched', 31, false),
      event('nobody', 31),
    ])
    await db.append('deliveries', [delivery('young', 29, null), delivery('waiting', 31, now)])
    await forget({ db, now: () => now })
    expect(await left('deliveries', 'outbox_id')).toEqual(['waiting', 'young'])
    expect(await left('outbox', 'id')).toEqual(['undispatched', 'waiting', 'young'])
  })
})
