import { type Db, insertChannel, migrate, migrations, type Query } from '@watchpost/store'
import { eachEngine, type Place } from '@watchpost/store/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventStep } from '../api/event.ts'
import { iso } from '../api/time.ts'
import { dispatchPending } from './dispatch.ts'

const query = (name: string, sql: string): Query => ({ name, sql })

eachEngine((_engine, newPlace) => {
  let place: Place
  let db: Db
  let other: Db
  const now = () => 1000
  beforeAll(async () => {
    place = await newPlace()
    db = await place.open()
    await migrate(db, migrations)
    other = await place.open()
    const channel = { team_id: 1, name: 'c', settings: '', events: null, enabled: 1, created_at: 0 }
    const add = (id: number, type: string, more: object) => ({
      query: insertChannel,
      params: { ...channel, id, type, monitor_ids: null, ...more },
    })
    await db.commit([
      add(1, 'webhook', {}),
      add(2, 'email', {}),
      add(3, 'slack', { monitor_ids: '[8]' }),
      add(4, 'webhook', { enabled: 0 }),
      add(5, 'webhook', { team_id: 2 }),
    ])
  })
  afterAll(async () => {
    await Promise.all([db.close(), other.close()])
    await place.remove()
  })

  test('replicas that dispatch at the same moment write each delivery and each alert once', async () => {
    const changes = Array.from({ length: 20 }, (_, index) =>
      eventStep(
        1,
        {
          event: 'monitor.status_changed',
          timestamp: iso(now()),
          data: {
            monitor_id: 7,
            monitor_name: `m${index}`,
            old_status: 'online',
            new_status: 'offline',
            response_time: null,
            error_message: null,
          },
        },
        now(),
        { downSince: 900 },
      ),
    )
    await db.commit(changes)
    await Promise.all([db, other, db, other].map(each => dispatchPending({ db: each, now })))
    const alerts = await db.all<{ body: string; down_since_at: number }>(
      query('alerts', "select body, down_since_at from outbox where event = 'alert.triggered'") as Query<never>,
      {},
    )
    const names = alerts.map(({ body }) => JSON.parse(body).data.monitor_name)
    expect(names.sort()).toEqual(Array.from({ length: 20 }, (_, index) => `m${index}`).sort())
    expect(alerts[0]?.down_since_at).toBe(900)
    expect(JSON.parse(alerts[0]?.body ?? '').data).toMatchObject({ channel_ids: [2], since: iso(900) })

    while ((await dispatchPending({ db, now })) > 0);
    const rows = await db.all<{ channel_id: number; event: string; count: number }>(
      query(
        'rows',
        `select d.channel_id, o.event, count(*) as count from deliveries d join outbox o on o.id = d.outbox_id
         group by d.channel_id, o.event order by 1, 2`,
      ) as Query<never>,
      {},
    )
    expect(rows).toEqual([
      { channel_id: 1, event: 'alert.triggered', count: 20 },
      { channel_id: 1, event: 'monitor.status_changed', count: 20 },
      { channel_id: 2, event: 'monitor.status_changed', count: 20 },
    ])
  })

  test('a channel that waits for hours after failures is tried within a minute of something new', async () => {
    const hour = 3_600_000
    const run = (name: string, sql: string, params = {}) => db.commit([{ query: query(name, sql), params }])
    const happen = async (at: number) => {
      const kind = { status: 'investigating', severity: 'major', source: 'manual' } as const
      const about = { incident_id: 1, title: 'Down', monitor_ids: [], status_page_ids: [] }
      const data = { ...kind, ...about, started_at: iso(at), resolved_at: null }
      await db.commit([eventStep(1, { event: 'incident.created', timestamp: iso(at), data }, at)])
      await dispatchPending({ db, now: () => at })
    }
    const ofFirst = 'select next_at, attempts from deliveries where channel_id = 1 order by next_at'
    const waiting = () => db.all(query('waiting', ofFirst) as Query<{ next_at: number; attempts: number }>, {})

    await run('clear', 'delete from deliveries')
    await happen(hour)
    await run('fail', 'update deliveries set next_at = @next_at, attempts = 9', { next_at: 3 * hour })
    await happen(hour + 1)
    expect(await waiting()).toEqual([
      { next_at: hour + 1, attempts: 0 },
      { next_at: hour + 60_001, attempts: 8 },
    ])
    // One that has waited for days is given up as ever.
    const later = hour + 4 * 24 * hour
    const failed = 'update deliveries set next_at = @next_at, attempts = 13 where attempts = 8'
    await run('fail again', failed, { next_at: later + hour })
    await happen(later)
    expect(await waiting()).toContainEqual({ next_at: later + hour, attempts: 13 })
  })
})
