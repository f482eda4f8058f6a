import { eachEngine } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { allOf, everyTrace, keptAt } from './testing/kept.ts'

const values = [
  { stringValue: 'plain' },
  { stringValue: 'with "quotes", \\ and\nlines' },
  { stringValue: 'Ünïcödé 🦊' },
  { intValue: '200' },
  { doubleValue: 0.25 },
  { boolValue: true },
  { arrayValue: { values: [{ stringValue: 'a"b' }, { intValue: 1 }] } },
  { stringValue: '["a\\"b",1]' },
]
const asked: [string, number[]][] = [
  ['plain', [0]],
  ['with "quotes", \\ and\nlines', [1]],
  ['Ünïcödé 🦊', [2]],
  ['200', [3]],
  ['0.25', [4]],
  ['true', [5]],
  // An array and the text that is written alike are asked for alike.
  ['["a\\"b",1]', [6, 7]],
  ['lain', []],
]

eachEngine((engine, newPlace) => {
  test('a span is found by any value of an attribute, its own or its sender’s', async () => {
    const kept = await keptAt(engine, await newPlace())
    const idOf = (at: number) => `${at}`.padStart(32, 'a')
    const spans = values.map((value, at) => ({
      traceId: idOf(at),
      spanId: `${at}`.padStart(16, 'b'),
      name: 'plain',
      startTimeUnixNano: `${1_700_000_000_000 + at}000000`,
      attributes: [
        { key: 'it', value },
        { key: 'other', value: { stringValue: '200 plain' } },
      ],
    }))
    const resource = { attributes: [{ key: 'host', value: { stringValue: 'one' } }] }
    const other = [{ ...spans[0], traceId: idOf(9), attributes: [{ key: 'host', value: { stringValue: 'two' } }] }]
    const resourceSpans = [{ resource, scopeSpans: [{ spans }] }, { scopeSpans: [{ spans: other }] }]
    await kept.keeper.keep([kept.entry('traces', { resourceSpans })])

    const find = async (...attributes: [string, string][]) => {
      const rows = await allOf(kept.archive, 'traces', { ...everyTrace, attributes })
      return rows.map(({ trace_id }) => Number(trace_id.replaceAll('a', ''))).toSorted()
    }
    for (const [value, places] of asked) expect([value, await find(['it', value])]).toEqual([value, places])
    expect(await find(['host', 'one'])).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(await find(['host', 'two'])).toEqual([9])
    expect(await find(['host', 'one'], ['it', '200'])).toEqual([3])
    await kept.close()
  })

  test('a trace belongs where its first span began, whatever came before its root, or is asked for of it later', async () => {
    const kept = await keptAt(engine, await newPlace())
    const to = 1_700_000_000_000
    const span = (trace: string, at: number, more: object = {}) => ({
      traceId: trace.repeat(32),
      spanId: `${at + 999_999}`.padStart(16, 'b'),
      name: 'x',
      startTimeUnixNano: `${to + at}000000`,
      ...more,
    })
    const under = { parentSpanId: 'c'.repeat(16) }
    const failed = { ...under, status: { code: 2 } }
    const spans = [
      // On a host whose clock is behind: the root is told to begin after it.
      ...[span('a', 900), span('a', -10, under), span('a', 2000, failed)],
      // Far later than its root.
      ...[span('b', -20), span('b', 200_000, failed)],
      // Behind the end, with its root here and without.
      ...[span('c', 1500), span('c', 1600, failed)],
      ...[span('d', 1700, failed)],
    ]
    await kept.keeper.keep([kept.entry('traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] })])
    for (const status of [undefined, 2]) {
      const rows = await allOf(kept.archive, 'traces', { ...everyTrace, to, status })
      expect([status, rows.map(({ trace_id }) => trace_id[0])]).toEqual([status, ['a', 'b']])
    }
    await kept.close()
  })

  test('questions that come at once count each span once', async () => {
    const kept = await keptAt(engine, await newPlace())
    for (let at = 0; at < 20; at++) {
      const spans = [{ traceId: `${at}`.padStart(32, 'a'), spanId: 'b'.repeat(16), name: 'n' }]
      await kept.keeper.keep([kept.entry('traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] })])
    }
    const all = () => allOf(kept.archive, 'traces', everyTrace)
    for (const rows of await Promise.all(Array.from({ length: 4 }, all))) {
      expect(rows.map(({ span_count }) => span_count)).toEqual(Array.from({ length: 20 }, () => 1))
    }
    await kept.close()
  })
})
