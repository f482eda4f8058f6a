import { eachEngine } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { allOf, everyTrace, keptAt } from './testing/kept.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'x', startTimeUnixNano: '1' }
const traces = { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }

eachEngine((engine, newPlace) => {
  test('what comes again since its connection had gone is kept once, however often that goes wrong', async () => {
    const kept = await keptAt(engine, await newPlace(), () => now)
    const send = async ({ goes }: { goes: 'before' | 'after' | 'never' }) => {
      const entry = { ...kept.entry('traces', traces), hash: 'the same'.padEnd(24, 'a') }
      if (goes === 'before') await kept.keeper.lost([entry.id])
      const { answers } = await kept.keeper.keep([entry])
      expect(answers).toMatchObject([{ id: entry.id, status: 200, rejected: 0 }])
      if (goes === 'after') await kept.keeper.lost([entry.id])
      if (goes === 'never') await kept.keeper.answered([entry.id])
      return (await allOf(kept.archive, 'traces', everyTrace))[0]?.span_count
    }
    for (const goes of ['before', 'after', 'before', 'never'] as const)
      expect([goes, await send({ goes })]).toEqual([goes, 1])
    // The same bytes, sent twice and answered twice, are two.
    expect(await send({ goes: 'never' })).toBe(2)
    await kept.close()
  })
})
