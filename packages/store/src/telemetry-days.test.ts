import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { telemetryDay } from './queries/index.ts'
import { openSqlite } from './sqlite.ts'
import { daysInFiles } from './telemetry-days.ts'
import { newPlace } from './testing/engines.ts'

const day = 20_260_101

test('a day whose tables could not be made is made once that can be', async () => {
  const place = await newPlace('sqlite')
  const dir = join(place.dataDir, 'telemetry')
  mkdirSync(dir, { recursive: true })
  const inTheWay = openSqlite(join(dir, `telemetry-${day}.db`), 'day')
  await inTheWay.script(`create table telemetry_blocks_${day} (other integer)`)
  const days = daysInFiles(place.dataDir, 'telemetry')
  await expect(days.make(day)).rejects.toThrow()
  await expect(days.make(day)).rejects.toThrow()
  await inTheWay.script(`drop table telemetry_blocks_${day}`)
  await inTheWay.close()
  const db = await days.make(day)
  expect(await db.one(telemetryDay(day).lastBlock, {})).toBeUndefined()
  await days.close()
  await place.remove()
})
