import { eachEngine } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { readTrace } from './read-trace.ts'
import { type Kept, keptAt } from './testing/kept.ts'

const traceId = 'a'.repeat(32)
const now = Date.parse('2026-11-21T12:00:00Z')

const text = (key: string, value: string) => ({ key, value: { stringValue: value } })

async function keep(kept: Kept, from: number, count: number, resource: object, attributes: object[] = []) {
  const spans = Array.from({ length: count }, (_, at) => ({
    traceId,
    spanId: `${from + at}`.padStart(16, 'b'),
    name: `${from + at}`,
    startTimeUnixNano: `${now + from + at}000000`,
    attributes,
  }))
  await kept.keeper.keep([kept.entry('traces', { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })])
}

eachEngine((engine, newPlace) => {
  test('a trace whose spans, with who sent them, are more than an answer may hold is cut off, and says so', async () => {
    const kept = await keptAt(engine, await newPlace(), () => now)
    // A body of a megabyte, and gigabytes once every span says it.
    await keep(kept, 0, 3000, { attributes: [text('service.name', 'shop'), text('env', 'x'.repeat(1_000_000))] })
    const trace = await readTrace(kept.archive, 1, traceId)
    expect([trace?.complete, trace?.spans.length]).toEqual([false, 17])
    await kept.close()
  })

  test('a trace in many large blocks is read as far as there is room', async () => {
    const kept = await keptAt(engine, await newPlace(), () => now)
    for (let turn = 0; turn < 6; turn++) await keep(kept, turn * 10, 4, {}, [text('query', 'y'.repeat(2_000_000))])
    const trace = await readTrace(kept.archive, 1, traceId)
    expect([trace?.complete, trace?.spans.length]).toEqual([false, 9])
    await kept.close()
  })

  test('one that has room is whole', async () => {
    const kept = await keptAt(engine, await newPlace(), () => now)
    for (let turn = 0; turn < 10; turn++) await keep(kept, turn * 100, 100, { attributes: [text('host', `${turn}`)] })
    const trace = await readTrace(kept.archive, 1, traceId)
    expect([trace?.complete, trace?.spans.length]).toEqual([true, 1000])
    expect(trace?.spans.map(({ name }) => Number(name))).toEqual(Array.from({ length: 1000 }, (_, at) => at))
    expect(await readTrace(kept.archive, 1, 'b'.repeat(32))).toBeUndefined()
    await kept.close()
  })
})
