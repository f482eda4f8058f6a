import { insertMonitor, insertMonitorState, migrate, migrations, monitorById, type Query } from '@watchpost/store'
import { newPlace } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import type { Context } from '../context.ts'
import type { Handler } from '../http/handler.ts'
import { acceptResult } from './accept-result.ts'
import { monitorHandlers } from './monitors.ts'

const query = (name: string, sql: string): Query => ({ name, sql })

// What no test from outside can time: a result between the look for an open incident and the commit that deletes.
test('a result that opens an incident while its monitor is being deleted leaves none open', async () => {
  const place = await newPlace('sqlite')
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
  const windows = { covers: () => false }
  const context = { db, windows, now: Date.now, eventCommitted() {} } as unknown as Context
  let looked = 0
  const racing: Context = {
    ...context,
    db: Object.assign(Object.create(db), {
      commit: db.commit.bind(db),
      all: db.all.bind(db),
      async one(asked: typeof monitorById, params: Record<string, number>) {
        const row = await db.one(asked, params)
        if (asked.name === 'incident.openAutomatic' && looked++ === 0) {
          const probe = { team_id: 0, probe_id: 1, region: 'x' }
          await acceptResult(context, probe, { monitor_id: 1, status: 'offline', response_time_ms: null })
        }
        return row
      },
    }),
  }
  const found = await db.one(monitorById, { team_id: 1, id: 1, hour_from: 0 })
  await (monitorHandlers.deleteMonitor as Handler<never>).handle({ context: racing } as never, found as never)
  const incidents = await db.all(query('incidents', 'select title, status from incidents'), {})
  expect(incidents).toEqual([{ title: 'Shop is down', status: 'resolved' }])
  expect(looked).toBe(2)
  await db.close()
  await place.remove()
})
