import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, daysInFiles, migrate, migrations, openDb, openMetricStore } from '@watchpost/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { FileKeeper } from '../telemetry/file-keeper.ts'
import { createBackup } from './create.ts'
import { Progress } from './progress.ts'

const day = 20260101
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'watchpost-order-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const one = async (db: Db | undefined, sql: string) => (await db?.all({ name: 'test', sql }, {}))?.[0]
const open = (dataDir: string) => openDb({ databaseUrl: undefined, dataDir, exclusiveOwner: false })

// Between any two files the server goes on: it keeps and counts telemetry, gives ids away, and packs points.
test('what changes between two files is neither lost nor counted twice', async () => {
  const data = join(dir, 'data')
  const main = await open(data)
  await migrate(main, migrations)
  const metrics = await openMetricStore(data)
  const spans = await daysInFiles(data, 'telemetry').make(day)
  const points = await daysInFiles(data, 'points').make(day)
  await main.script(`insert into usage_folds (day, seq) values (${day}, 0); insert into sequences values ('app', 1)`)
  await points.script(
    Array.from({ length: 9 }, (_, id) => `insert into points_inbox_${day} values (${id + 1}, 1, x'00')`).join(';'),
  )
  await metrics.script(`insert into metric_rollups values (1, 60, 1, 1, 0)`)

  let turn = 0
  const goOn = async () => {
    turn++
    await spans.script(`insert into telemetry_commits_${day} values (${turn}, 1, x'', '[{"amount":1}]')`)
    await main.script(`update usage_folds set seq = ${turn}; update sequences set value = value + 1`)
    await metrics.script(`update metric_rollups set data = ${turn}`)
    await points.script(`delete from points_inbox_${day} where id = ${turn}`)
  }
  const waiting: Promise<void>[] = []
  class Interfering extends Progress {
    override next(): void {
      super.next()
      waiting.push(goOn())
    }
  }
  await goOn()
  const progress = new Interfering({ what: '', whenStopped: '' }, undefined)
  const config = readConfig({ dataDir: data }, {}, false)
  const path = join(dir, 'backup')
  await createBackup(config, { path, withTelemetry: true, withKey: true }, progress)
  progress.end()
  await Promise.all(waiting)
  expect(turn).toBe(5)
  for (const db of [main, metrics, spans, points]) await db.close()

  // Up to its mark the usage is right, and what comes after is handed over to be counted.
  const copy = await open(path)
  const { seq } = (await one(copy, 'select seq from usage_folds')) as { seq: number }
  const keeper = await FileKeeper.at(path, Date.now)
  const counted = await keeper.open()
  const last = await one(
    await daysInFiles(path, 'telemetry').open(day),
    `select max(seq) as seq from telemetry_commits_${day}`,
  )
  expect(counted.map(each => each.seq)).toEqual(
    Array.from({ length: Number(last?.seq) - seq }, (_, at) => seq + 1 + at),
  )
  expect(Number(last?.seq)).toBeGreaterThan(seq)

  // What has left the inbox is in what is made of points.
  const kept = await daysInFiles(path, 'points').open(day)
  const first = await one(kept, `select min(id) as id from points_inbox_${day}`)
  const store = await openMetricStore(path)
  expect(Number((await one(store, 'select data from metric_rollups'))?.data)).toBeGreaterThanOrEqual(
    Number(first?.id) - 1,
  )

  // Ids that were given away before the last file was copied are not given again.
  const app = await one(copy, `select value from sequences where name = 'app'`)
  expect(Number(app?.value)).toBeGreaterThanOrEqual(5)
  for (const db of [copy, store, kept]) await db?.close()
  await keeper.close()
})
