import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { dayName, migrate, migrations, telemetryDays } from '@watchpost/store'
import { eachEngine } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { readLogs } from '../ingest/otlp-logs.ts'
import { Archive } from './archive.ts'
import { contentOf } from './entry.ts'
import { FileKeeper } from './file-keeper.ts'
import { Housekeeping } from './housekeeping.ts'
import { MetricKeeper } from './metric-keeper.ts'
import { readServices } from './read-services.ts'
import { TableKeeper } from './table-keeper.ts'

const dayMs = 86_400_000

eachEngine((engine, newPlace) => {
  test('a day goes whole once it is too old, and the days after it stay', async () => {
    const place = await newPlace()
    const db = await place.open()
    await migrate(db, migrations)
    let now = Date.parse('2026-11-21T12:00:00Z')
    const clock = () => now
    const keeper =
      engine === 'sqlite'
        ? await FileKeeper.at(place.dataDir, clock)
        : new TableKeeper(await place.open(), new MetricKeeper(await place.open()), clock, () => undefined)
    await keeper.open()
    const app = { team_id: 1, id: 1, name: 'Shop' }
    const first = dayName(now)
    for (let turn = 1; turn <= 3; turn++) {
      const { items } = readLogs({
        resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano: `${now}000000` }] }] }],
      })
      const entry = { id: turn, app, signal: 'metrics' as const, items: 1, rejected: 0, reason: '', bytes: 1 }
      const hash = `${turn}`.padEnd(24, 'a')
      // As logs, but without asking for a budget: there is no app.
      await keeper.keep([{ ...entry, signal: 'logs', hash, content: contentOf('logs', items), items: 0, bytes: 0 }])
      now += dayMs
    }
    const archive = await Archive.open(place.dataDir, place.databaseUrl)
    const days = async () =>
      engine === 'sqlite'
        ? readdirSync(join(place.dataDir, 'telemetry'))
            .map(name => Number(/^telemetry-(\d+)\.db$/.exec(name)?.[1]))
            .filter(day => day > 0)
            .toSorted()
        : (await db.all(telemetryDays, { name: 'telemetry' })).map(({ day }) => day).toSorted()
    const tables = await days()
    expect(tables[0]).toBe(first)
    const fail = (error: unknown) => {
      throw error
    }
    now = Date.parse('2026-12-22T12:00:00Z')
    await new Housekeeping(archive, { telemetry: 30, points: 7 }, clock, fail).run()
    expect(await days()).toEqual(tables.slice(1))
    expect((await readServices(archive, { app_id: 1, from: 0, to: now })).rows).toEqual([])
    await archive.close()
    await keeper.close()
    await db.close()
    await place.remove()
  })
})
