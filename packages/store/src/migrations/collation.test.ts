import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { migrate } from '../migrate.ts'
import { openDb } from '../open.ts'
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

  // Of a schema whose name is to be quoted, too.
  const schema = '"Watch""x"'
  await db.script(`create schema ${schema}`)
  const options = encodeURIComponent(`-c search_path=${schema}`)
  const databaseUrl = `${place.databaseUrl}?options=${options}`
  const other = await openDb({ dataDir: place.dataDir, databaseUrl, exclusiveOwner: false })
  await migrate(other, migrations)
  expect(await other.all(ofLanguage, {})).toEqual([])
  const columns = query<{ count: number }>(
    'columns.count',
    `select count(*)::integer as count from information_schema.columns where table_schema = 'Watch"x' and data_type = 'text'`,
  )
  expect((await other.one(columns, {}))?.count).toBeGreaterThan(50)
  await other.close()
})
