import { usageOfApp } from '@watchpost/store'
import { eachEngine } from '@watchpost/store/testing'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Context } from '../context.ts'
import { Folder } from './fold.ts'
import { MetricKeeper } from './metric-keeper.ts'
import { readTraces } from './read-traces.ts'
import { TableKeeper } from './table-keeper.ts'
import { everyTrace, keptAt } from './testing/kept.ts'

const midnight = Date.parse('2026-12-01T00:00:00Z')

eachEngine((engine, newPlace) => {
  test('over the end of a month: each has its quota, and what is accepted is stored and counted', async () => {
    const place = await newPlace()
    let now = midnight - 5000
    const kept = await keptAt(engine, place, () => now)
    const config = { telemetry: { days: { telemetry: 30 } } } as Context['config']
    const log = pino({ level: 'silent' })
    const folder = new Folder({ db: kept.db, now: () => now, log, eventCommitted: () => undefined, config })
    const keepers = [kept.keeper]
    // Replicas share a database.
    if (engine === 'postgres') {
      const other = new TableKeeper(
        await place.open(),
        new MetricKeeper(await place.open()),
        () => now,
        () => undefined,
      )
      await other.open()
      keepers.push(other)
    }
    let sent = 0
    const accepted = [0, 0]
    const send = async (keeper: (typeof keepers)[number], month: 0 | 1) => {
      const entries = Array.from({ length: 4 }, () => {
        const traceId = `${++sent}`.padStart(32, 'a')
        const spans = Array.from({ length: 170 + (sent % 9) }, (_, at) => ({
          traceId,
          spanId: `${at + 1}`.padStart(16, 'b'),
          startTimeUnixNano: `${now}000000`,
        }))
        return kept.entry('traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] })
      })
      const sizes = new Map(entries.map(({ id, items }) => [id, items]))
      const { answers, counted } = await keeper.keep(entries)
      folder.add(counted)
      for (const { id, status, rejected } of answers) {
        expect([200, 429]).toContain(status)
        if (status === 200) accepted[month] = (accepted[month] as number) + (sizes.get(id) as number) - rejected
      }
    }
    const fill = (month: 0 | 1) =>
      Promise.all(
        keepers.map(async keeper => {
          for (let turn = 0; turn < 16; turn++) await send(keeper, month)
        }),
      )
    await fill(0)
    now = midnight
    await fill(1)
    await folder.settle()
    // The plan of the team has ten thousand a month.
    expect(accepted).toEqual([10_000, 10_000])
    const usage = async (period: string) =>
      (await kept.db.all(usageOfApp, { app_id: 1, team_id: 1, period })).map(({ used }) => used)
    expect([await usage('2026-11'), await usage('2026-12')]).toEqual([[10_000], [10_000]])
    let stored = 0
    for (let cursor: string | undefined; ; ) {
      const { rows, meta } = await readTraces(kept.archive, { ...everyTrace, limit: 200, cursor })
      for (const { span_count } of rows) stored += span_count
      if (meta.next_cursor === null) break
      cursor = meta.next_cursor
    }
    expect(stored).toBe(20_000)
    for (const keeper of keepers.slice(1)) await keeper.close()
    await kept.close()
  })
})
