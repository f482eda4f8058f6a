import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db, Params, Query } from '../db.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { compile } from '../statement.ts'
import { eachEngine, type Place } from '../testing/engines.ts'
import * as queries from './index.ts'

const isQuery = (value: unknown): value is Query => typeof value === 'object' && value !== null && 'sql' in value

const all: Query[] = Object.values<unknown>(queries).flat().filter(isQuery)

test('query names are unique', () => {
  const names = all.map(query => query.name)
  expect(names).toEqual([...new Set(names)])
  expect(names.length).toBeGreaterThan(40)
})

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

  // Stands in for typed columns: every statement must run against the schema, with values of the kind it names.
  test.each(all.map(query => [query.name, query] as const))('%s runs', async (_, query) => {
    const { names, lists } = compile(query, name => name)
    const params: Params = Object.fromEntries(names.map(name => [name, lists.has(name) ? listOf(name) : sample(name)]))
    await db.commit([{ query, params }])
  })
})

const texts =
  /^(name|plan|email|password_hash|role|scopes|hash|region|probe_version|target|type|method|options|status|lease_id|run_id|timings|details|slug|title|description|language|theme|custom_domain|logo|token|display_name|group_name|settings|event|body|outbox_id|severity|source|message|caller|key|request|answer|allowed_origins|app_token|app_token_hash|api_key|api_key_hash|period|quota|announced_status|time_zone|recurrence|error|error_kind|error_message|events|monitor_ids|hash|about|hashes|deltas|services|actor|actor_name|operation|kind|resource_name|address|fields|counts|(old_)?password_hash|(old_)?role)$/

const listOf = (name: string): string[] | number[] => (name === 'hashes' ? ['x'] : [1])

function sample(name: string): string | number | number[] {
  if (name === 'ids') return [1]
  if (name === 'id' || !texts.test(name)) return 1
  return 'x'
}
