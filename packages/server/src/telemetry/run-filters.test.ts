import { telemetryDay } from '@watchpost/store'
import { eachEngine } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { Archive } from './archive.ts'
import { readTrace } from './read-trace.ts'
import { filterOf } from './run-filters.ts'
import { allOf, everyTrace, keptAt } from './testing/kept.ts'
import { traceKey } from './trace-index.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const traceIds = Array.from({ length: 30 }, (_, at) => `${at * 7919 + 100_000_007}`.padStart(32, 'c'))

const bodyOf = (traceId: string, at: number) => {
  const time = { startTimeUnixNano: `${now + at}000000`, endTimeUnixNano: `${now + at + 5}000000` }
  const spans = [{ traceId, spanId: `${at + 1}`.padStart(16, 'b'), name: 'n', ...time }]
  return { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans }] }] }
}

eachEngine((engine, place) => {
  test('only runs that may hold a trace are asked for it, and those of earlier releases always', async () => {
    const where = await place()
    const kept = await keptAt(engine, where, () => now)
    for (const [at, traceId] of traceIds.entries()) {
      await kept.keeper.keep([kept.entry('traces', bodyOf(traceId, at))])
      // Three runs of ten traces.
      if (at % 10 === 9) await (await indexOf(kept.archive)).tidy(now + 3_600_000, 1)
    }
    const open = await dayOf(kept.archive)
    const { runs, tracesOf } = telemetryDay(open.day)
    expect((await open.db.all(runs, {})).length).toBe(3)

    const asked: unknown[] = []
    const all = open.db.all.bind(open.db)
    open.db.all = (async (query: typeof tracesOf, params: { run: number }) => {
      if (query.name === tracesOf.name) asked.push(params.run)
      return all(query, params)
    }) as typeof open.db.all
    for (const traceId of traceIds) {
      expect((await readTrace(kept.archive, 1, traceId))?.spans.length).toBe(1)
    }
    const [hits, ofOthers] = [asked.length, asked.splice(0).length - traceIds.length]
    expect(hits).toBeGreaterThanOrEqual(traceIds.length)
    expect(ofOthers).toBeLessThan(10)

    await open.db.script(`delete from telemetry_run_filters_${open.day} where run = 2`)
    const later = await Archive.open(where.dataDir, where.databaseUrl)
    const rows = (await allOf(later, 'traces', everyTrace)) as { trace_id: string }[]
    expect(rows.map(({ trace_id }) => trace_id)).toEqual(traceIds.toReversed())
    await later.close()
    await kept.close()
  })
})

test('a filter says yes to what is in it, and to few others', () => {
  const keyAt = (at: number) => traceKey(1, (at * 2_654_435_761).toString(16).padStart(32, '5'))
  const keys = Array.from({ length: 20_000 }, (_, at) => keyAt(at))
  const filter = filterOf(keys)
  expect(keys.every(key => filter.has(key | 0))).toBe(true)
  const others = Array.from({ length: 20_000 }, (_, at) => keyAt(at + 20_000)).filter(key => filter.has(key | 0))
  expect(others.length).toBeLessThan(200)
})

async function dayOf(archive: Archive) {
  const [open] = await archive.all()
  if (open === undefined) throw new Error('there is a day')
  return open
}

const indexOf = async (archive: Archive) => archive.index(await dayOf(archive))
