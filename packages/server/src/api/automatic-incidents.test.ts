import { insertMonitor, insertMonitorState, migrate, migrations, monitorById, type Query } from '@watchpost/store'
import { engines, newPlace } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { Changes } from '../changes.ts'
import type { Context } from '../context.ts'
import type { Handler } from '../http/handler.ts'
import { ResultWriter } from '../results/writer.ts'
import { monitorHandlers } from './monitors.ts'

const query = (name: string, sql: string): Query => ({ name, sql })

// What no test from outside can time: a result between the look for an open incident and the commit that deletes.
test.each(engines)(
  'a result that opens an incident while its monitor is being deleted leaves none open: %s',
  async engine => {
    const place = await newPlace(engine)
    const db = await place.open()
    await migrate(db, migrations)
    const key = { team_id: 1, monitor_id: 1 }
    const settings = { name: 'Shop', target: 'a:1', type: 'tcp', interval_s: 60, timeout_s: 10, method: 'get' }
    const flags = {
      ssl_verify: 1,
      enabled: 1,
      is_active: 1,
      options: '{"confirmations":1,"auto_incident":true}',
      created_at: 1,
      updated_at: 1,
    }
    await db.commit([
      { query: insertMonitor, params: { team_id: 1, id: 1, ...settings, ...flags } },
      { query: insertMonitorState, params: { ...key, status: 'pending', due_at: 1 } },
      { query: query('grant', 'insert into grants (team_id, monitor_id, probe_id) values (1, 1, 1)'), params: {} },
    ])
    const quiet = { changes: new Changes(), windows: { covers: () => false } }
    const given = { ...quiet, db, now: Date.now, eventCommitted() {} }
    const writer = () => new ResultWriter(given)
    const results = writer()
    // On PostgreSQL the result comes to another replica.
    const receiver = engine === 'postgres' ? writer() : results
    const context = { ...given, results } as unknown as Context
    let accepted: Promise<unknown> | undefined
    let looked = 0
    const racing: Context = {
      ...context,
      db: Object.assign(Object.create(db), {
        commit: db.commit.bind(db),
        all: db.all.bind(db),
        async one(asked: typeof monitorById, params: Record<string, number>) {
          const row = await db.one(asked, params)
          if (asked.name === 'incident.openAutomatic' && looked++ === 0) {
            const sent = { monitor_id: 1, status: 'offline', response_time_ms: null } as const
            accepted = receiver.accept({ team_id: 0, probe_id: 1 }, [sent])
            if (engine === 'postgres') await accepted
          }
          return row
        },
      }),
    }
    const found = await db.one(monitorById, { team_id: 1, id: 1, hour_from: 0 })
    await (monitorHandlers.deleteMonitor as Handler<never>).handle({ context: racing } as never, found as never)
    const incidents = await db.all(query('incidents', 'select title, status from incidents'), {})
    if (engine === 'postgres') {
      expect(incidents).toEqual([{ title: 'Shop is down', status: 'resolved' }])
      expect(looked).toBe(2)
    } else {
      // There it waits for the end of the change, and finds no monitor.
      expect(await accepted).toMatchObject([{ code: 'not_found' }])
      expect([incidents, looked]).toEqual([[], 1])
    }
    await db.close()
    await place.remove()
  },
)
