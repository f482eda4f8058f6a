import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, insertEvent, migrate, migrations, openDb } from '@watchpost/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Context } from '../context.ts'
import { follow } from './follow.ts'

let dataDir: string
let db: Db

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'watchpost-follow-'))
  db = await openDb({ databaseUrl: undefined, dataDir, exclusiveOwner: false })
  await migrate(db, migrations)
})

afterEach(async () => {
  await db.close()
  rmSync(dataDir, { recursive: true })
})

test('a follower is told of all events of one millisecond, however many', async () => {
  const created_at = 1_700_000_000_000
  const ids = Array.from({ length: 1201 }, (_, index) => `evt_${String(index).padStart(5, '0')}`)
  const event = { team_id: 1, event: 'incident.created', body: '{}', created_at, echo: 0, down_since_at: null }
  await db.commit(ids.map(id => ({ query: insertEvent, params: { ...event, id } })))
  const context = { db, now: () => created_at, results: { settle: async () => undefined } } as unknown as Context

  const stream = follow(context, 1, undefined, async () => true, AbortSignal.timeout(60_000))
  await stream.next()
  const { value } = await stream.next()
  await stream.return(undefined)

  expect(String(value).match(/(?<=^id: ).+$/gm)).toEqual(ids)
})
