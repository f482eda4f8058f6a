import { type Days, dayName, daysInFiles, daysInTables, pointsDay, telemetryDay } from '@watchpost/store'
import { eachEngine } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { BlockIds, idAt } from './block-ids.ts'
import { followKept } from './follow-kept.ts'
import { keptAt } from './testing/kept.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const hourAgo = now - 3_600_000
const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'x', startTimeUnixNano: '1' }
const traces = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }
const gauge = { dataPoints: [{ timeUnixNano: `${now}000000`, asInt: '1' }] }
const metrics = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'queue', gauge }] }] }] }

eachEngine((engine, newPlace) => {
  test('ids go on from what is kept, though the clock was set back before a new start', async () => {
    const place = await newPlace()
    const kept = await keptAt(engine, place, () => now)
    const { answers } = await kept.keeper.keep([kept.entry('metrics', metrics), kept.entry('traces', traces)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])

    const daysOf = (family: 'telemetry' | 'points'): Days =>
      engine === 'sqlite' ? daysInFiles(place.dataDir, family) : daysInTables(kept.db, family)
    const [days, pointDays] = [daysOf('telemetry'), daysOf('points')]
    const [blocks, inbox] = [new BlockIds(), new BlockIds()]
    await followKept(days, blocks, pointDays, inbox)
    const day = dayName(now)
    const block = await (await days.open(day))?.one(telemetryDay(day).lastBlock, {})
    const row = await (await pointDays.open(day))?.one(pointsDay(day).lastInbox, {})
    expect(block?.id).toBeGreaterThan(idAt(hourAgo))
    expect(blocks.next(hourAgo)).toBeGreaterThan(block?.id as number)
    expect(inbox.next(hourAgo)).toBeGreaterThan(row?.id as number)

    // Packed, a row is gone from the inbox; what it was put into has its id.
    await (await pointDays.open(day))?.commit([
      { query: pointsDay(day).deleteInbox, params: { ids: [row?.id as number] } },
    ])
    const later = new BlockIds()
    await followKept(days, new BlockIds(), pointDays, later)
    if (engine === 'sqlite') expect(later.next(hourAgo)).toBeGreaterThan(row?.id as number)
    await days.close()
    await pointDays.close()
    await kept.close()
  })
})
