import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { migrate } from '../migrate.ts'
import { query } from '../queries/query.ts'
import { newPlace, type Place } from '../testing/engines.ts'
import { migrations } from './index.ts'

let place: Place
let db: Db
beforeAll(async () => {
  place = await newPlace('postgres')
  db = await place.open()
  await migrate(db, migrations)
})
afterAll(async () => {
  await db.close()
  await place.remove()
})

test('no column of text is in the order of a language, which would differ from database to database', async () => {
  const ofLanguage = query<{ name: string }>(
    'columns.ofLanguage',
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = current_schema() and data_type = 'text' and collation_name is null`,
  )
  expect(await db.all(ofLanguage, {})).toEqual([])
})
