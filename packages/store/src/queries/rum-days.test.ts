import { expect, test } from 'vitest'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { createRumDay } from '../rum-days.ts'
import { newPlace } from '../testing/engines.ts'
import { query } from './query.ts'
import { rumDay } from './rum-days.ts'

test('visits with an error are found by the time of it and by their ids, whatever else there is', async () => {
  const place = await newPlace('sqlite')
  const db = await place.open()
  await migrate(db, migrations)
  await createRumDay(db, 20261121)
  const { name, sql } = rumDay(20261121).visitsWith
  const range = { app_id: 1, type: 2, from: 1, to: 9, name: 'x', page: null, most: 9 }
  const plan = query<{ detail: string }>(`plan of ${name}`, `explain query plan ${sql}`)
  const steps = (await db.all(plan, { ...range, before: 9, before_id: '', limit: 9 })).map(({ detail }) => detail)
  expect(steps.filter(step => /\brum_/.test(step)).join('\n')).toContain('rum_events_20261121_by_time')
  expect(steps.filter(step => /^SCAN (rum_|v\b)/.test(step))).toEqual([])
  await db.close()
  await place.remove()
})
