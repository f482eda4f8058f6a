import { type SmallBlock, telemetryDay } from '@watchpost/store'
import { newPlace } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { answers } from './ask.ts'
import { mergeBlocks } from './merge-blocks.ts'
import { everyTrace, type Kept, keptAt } from './testing/kept.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const turns = 40

/** Each turn a trace of two spans, in two requests, and two records. */
async function fill(kept: Kept) {
  for (let turn = 0; turn < turns; turn++) {
    const traceId = `${turn}`.padStart(32, 'a')
    const attributes = [{ key: 'turn', value: { stringValue: `t${turn} "ü"` } }]
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: `service-${turn % 3}` } }] }
    for (const [place, parentSpanId] of [
      [0, ''],
      [1, `${turn}0`.padStart(16, 'b')],
    ] as const) {
      const time = { startTimeUnixNano: `${now + turn}000123`, endTimeUnixNano: `${now + turn + 5}000456` }
      const ids = { traceId, spanId: `${turn}${place}`.padStart(16, 'b'), parentSpanId }
      const more = { flags: 257, traceState: 'a=b', status: { code: place * 2, message: 'why' } }
      const spans = [{ ...ids, name: `n${place}`, ...time, attributes, ...more, events: [{ name: 'e', attributes }] }]
      await kept.keeper.keep([kept.entry('traces', { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })])
    }
    const logRecords = [
      {
        timeUnixNano: `${now + turn}000000`,
        observedTimeUnixNano: '7',
        body: { stringValue: `said ${turn}` },
        traceId,
      },
      { timeUnixNano: `${now + turn}000001`, severityNumber: 17, eventName: 'late', attributes, flags: 1 },
    ]
    await kept.keeper.keep([kept.entry('logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] })])
  }
}

const rest = { q: undefined, severity: 0, traceId: undefined }

async function everything({ archive }: Kept) {
  const ids = Array.from({ length: turns }, (_, turn) => `${turn}`.padStart(32, 'a'))
  return {
    traces: await answers.traces(archive, { ...everyTrace, limit: 200 }),
    one: await answers.traces(archive, { ...everyTrace, attributes: [['turn', 't7 "ü"']] }),
    errors: await answers.traces(archive, { ...everyTrace, status: 2, service: 'service-1', minDuration: 5 }),
    each: await Promise.all(ids.map(traceId => answers.trace(archive, { app_id: 1, traceId }))),
    logs: await answers.logs(archive, { ...everyTrace, ...rest, limit: 200 }),
    said: await answers.logs(archive, { ...everyTrace, ...rest, q: 'said 9' }),
    services: await answers.services(archive, { app_id: 1, from: 0, to: Number.MAX_SAFE_INTEGER }),
  }
}

const blocksOf = async ({ archive }: Kept): Promise<SmallBlock[]> => {
  const [open] = await archive.all()
  const all = { after: 0, before: Number.MAX_SAFE_INTEGER, items: 5000, limit: 5000 }
  return open?.db.all(telemetryDay(open.day).smallBlocks, all) as Promise<SmallBlock[]>
}

test('small blocks become one of each kind, and every answer stays the same', async () => {
  const kept = await keptAt('sqlite', await newPlace('sqlite'), () => now)
  await fill(kept)
  const before = await everything(kept)
  expect([before.traces.rows.length, before.logs.rows.length]).toEqual([turns, turns * 2])
  expect([before.one.rows.length, before.said.rows.length]).toEqual([1, 1])
  expect((await blocksOf(kept)).length).toBe(turns * 3)
  await mergeBlocks(kept.archive, now, () => false, -1000)
  const blocks = await blocksOf(kept)
  expect(blocks.map(({ items }) => items)).toEqual([turns * 2, turns * 2])
  expect(await everything(kept)).toEqual(before)
  // Those that come later join the last.
  await fill(kept)
  await mergeBlocks(kept.archive, now, () => false, -1000)
  expect((await blocksOf(kept)).map(({ items }) => items)).toEqual([turns * 4, turns * 4])
  await kept.close()
})

test('an answer that was made while blocks were put together is made again', async () => {
  const kept = await keptAt('sqlite', await newPlace('sqlite'), () => now)
  await fill(kept)
  const before = await everything(kept)
  const { archive } = kept
  const [open] = await archive.all()
  if (open === undefined) throw new Error('there is a day')
  const one = open.db.one.bind(open.db)
  let reads = 0
  // Blocks were listed, and some are read.
  open.db.one = async (query, params) => {
    if (query.name.startsWith('telemetry.contents') && ++reads === 5) {
      await mergeBlocks(archive, now, () => false, -1000)
    }
    return one(query, params) as never
  }
  expect(await answers.logs(archive, { ...everyTrace, ...rest, limit: 200 })).toEqual(before.logs)
  expect((await blocksOf(kept)).length).toBe(2)
  await kept.close()
})
