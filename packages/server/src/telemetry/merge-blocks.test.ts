import { type SmallBlock, type Step, telemetryDay } from '@watchpost/store'
import { eachEngine, newPlace } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { Archive } from './archive.ts'
import { answers } from './ask.ts'
import { mergeBlocks } from './merge-blocks.ts'
import { allOf, everyTrace, type Kept, keptAt } from './testing/kept.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const turns = 40

/** Ids go up with it, and never down. */
let clock = now
/** When what came is settled. */
const soon = () => {
  clock += 20_000
  return clock
}

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
    traces: await allOf(archive, 'traces', everyTrace),
    one: await allOf(archive, 'traces', { ...everyTrace, attributes: [['turn', 't7 "ü"']] }),
    errors: await allOf(archive, 'traces', { ...everyTrace, status: 2, service: 'service-1', minDuration: 5 }),
    each: await Promise.all(ids.map(traceId => answers.trace(archive, { app_id: 1, traceId }))),
    logs: await allOf(archive, 'logs', { ...everyTrace, ...rest, limit: 200 }),
    said: await allOf(archive, 'logs', { ...everyTrace, ...rest, q: 'said 9' }),
    services: await answers.services(archive, { app_id: 1, from: 0, to: Number.MAX_SAFE_INTEGER }),
  }
}

const blocksOf = async ({ archive }: Kept): Promise<SmallBlock[]> => {
  const [open] = await archive.all()
  const all = { after: 0, before: Number.MAX_SAFE_INTEGER, items: 5000, limit: 5000 }
  return open?.db.all(telemetryDay(open.day).smallBlocks, all) as Promise<SmallBlock[]>
}

eachEngine((engine, place) => {
  test('small blocks become one of each kind, and every answer stays the same', async () => {
    const kept = await keptAt(engine, await place(), () => clock)
    await fill(kept)
    const before = await everything(kept)
    expect([before.traces.length, before.logs.length]).toEqual([turns, turns * 2])
    expect([before.one.length, before.said.length]).toEqual([1, 1])
    expect((await blocksOf(kept)).length).toBe(turns * 3)
    await mergeBlocks(kept.archive, soon(), () => false)
    const blocks = await blocksOf(kept)
    expect(blocks.map(({ items }) => items)).toEqual([turns * 2, turns * 2])
    expect(await everything(kept)).toEqual(before)
    // At once, so that who reads meanwhile begins again but once.
    expect(await kept.archive.merges(1)).toBe('1')
    // Those that come later join the last.
    await fill(kept)
    await mergeBlocks(kept.archive, soon(), () => false)
    expect((await blocksOf(kept)).map(({ items }) => items)).toEqual([turns * 4, turns * 4])
    await kept.close()
  })

  test.each([1, 86_400])('a list that began before goes on behind what it gave (within %d s)', async seconds => {
    const kept = await keptAt(engine, await place(), () => clock)
    const { keeper, archive } = kept
    for (let turn = 0; turn < 60; turn++) {
      const spans = [0, 1, 2].map(each => {
        // Many of a microsecond, each block with a beginning of its own.
        const nanos = each * seconds * 300_000_000 + Math.floor(Math.random() * 20_000)
        const startTimeUnixNano = `${BigInt(now) * 1_000_000n + BigInt(nanos)}`
        return { traceId: `${turn * 3 + each}`.padStart(32, 'c'), spanId: 'b'.repeat(16), name: 'n', startTimeUnixNano }
      })
      await keeper.keep([kept.entry('traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] })])
    }
    const found: string[] = []
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages++) {
      const page = await answers.traces(archive, { ...everyTrace, limit: 20, cursor })
      found.push(...page.rows.map(({ trace_id }) => trace_id))
      cursor = page.meta.next_cursor ?? undefined
      if (pages === 4) await mergeBlocks(archive, soon(), () => false)
    }
    expect((await blocksOf(kept)).length).toBe(1)
    expect([found.length, new Set(found).size]).toEqual([180, 180])
    await kept.close()
  })

  test('what would be too much in memory at once is not put together', async () => {
    const kept = await keptAt(engine, await place(), () => clock)
    for (let turn = 0; turn < 12; turn++) {
      const said = {
        body: { stringValue: `said ${turn} ${'x'.repeat(3_000_000)}` },
        timeUnixNano: `${now + turn}000000`,
      }
      await kept.keeper.keep([kept.entry('logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [said] }] }] })])
    }
    await mergeBlocks(kept.archive, soon(), () => false)
    expect((await blocksOf(kept)).map(({ items }) => items)).toEqual([5, 5, 2])
    const logs = await allOf(kept.archive, 'logs', { ...everyTrace, ...rest })
    expect(logs.length).toBe(12)
    await kept.close()
  })

  test('an answer that was made while blocks were put together is made again', async () => {
    const kept = await keptAt(engine, await place(), () => clock)
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
        await mergeBlocks(archive, soon(), () => false)
      }
      return one(query, params) as never
    }
    expect(await allOf(archive, 'logs', { ...everyTrace, ...rest, limit: 200 })).toEqual(before.logs)
    expect((await blocksOf(kept)).length).toBe(2)

    // Where it goes on and on, nothing is answered that may lack something.
    let seen = 0
    archive.merges = async () => `${++seen}`
    const asked = answers.logs(archive, { ...everyTrace, ...rest })
    await expect(asked).rejects.toMatchObject({ name: 'UnavailableError', why: 'slow' })
    await kept.close()
  })
})

eachEngine((engine, place) => {
  test('records of one moment are listed in the order they came, each once, whenever blocks are put together', async () => {
    const kept = await keptAt(engine, await place(), () => clock)
    const keep = async (from: number, count: number) => {
      const logRecords = Array.from({ length: count }, (_, n) => ({
        timeUnixNano: `${now}000000`,
        body: { stringValue: `${from + n}` },
      }))
      await kept.keeper.keep([kept.entry('logs', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] })])
      clock += 1000
    }
    for (let n = 0; n < 10; n++) await keep(n * 3, 3)
    // Too large to be put together with others.
    await keep(30, 1100)
    for (let n = 0; n < 10; n++) await keep(1130 + n * 3, 3)
    const merge = async () => {
      clock += 60_000
      await mergeBlocks(kept.archive, clock, () => false)
    }
    const search = { ...everyTrace, ...rest, limit: 7, q: undefined }
    const listed: string[] = []
    let cursor: string | undefined
    for (let page = 0; page < 200; page++) {
      const { rows, meta } = await answers.logs(kept.archive, { ...search, cursor })
      listed.push(...rows.map(({ body }) => String(body)))
      cursor = meta.next_cursor ?? undefined
      if (cursor === undefined) break
      if (page === 1) await merge()
      // Again, with what came since.
      if (page === 3) for (let n = 0; n < 10; n++) await keep(10_000 + n, 1)
      if (page === 3) await merge()
    }
    expect((await blocksOf(kept)).length).toBeLessThan(4)
    expect(listed).toEqual(Array.from({ length: 1160 }, (_, n) => `${1159 - n}`))
    await kept.close()
  })
})

test('replicas that put the same blocks together at once leave each item there once', async () => {
  const place = await newPlace('postgres')
  const kept = await keptAt('postgres', place, () => clock)
  await fill(kept)
  const before = await everything(kept)
  const others = await Promise.all([1, 2].map(() => Archive.open(place.dataDir, place.databaseUrl)))
  await Promise.all([kept.archive, ...others].map(archive => mergeBlocks(archive, soon(), () => false)))
  expect((await blocksOf(kept)).map(({ items }) => items)).toEqual([turns * 2, turns * 2])
  expect(await everything(kept)).toEqual(before)
  await Promise.all(others.map(archive => archive.close()))
  await kept.close()
})

test('of a run and of blocks put together at once, whoever is second changes nothing', async () => {
  const place = await newPlace('postgres')
  const kept = await keptAt('postgres', place, () => clock)
  const other = await Archive.open(place.dataDir, place.databaseUrl)
  const agree = async (before: unknown) => {
    for (const archive of [kept.archive, other]) expect(await everything({ ...kept, archive })).toEqual(before)
  }
  const spanBlocks = async () => (await blocksOf(kept)).filter(({ kind }) => kind === 0).length
  await fill(kept)
  const before = await everything(kept)
  const merge = (archive: Archive) => mergeBlocks(archive, clock + 60_000, () => false)
  const run = async (archive: Archive) => (await indexOf(archive)).tidy(clock + 3_600_000, 1)

  // Blocks were learned, and are gone before the run that names them.
  const index = await indexOf(other)
  const { commit } = await between(kept.archive, 'telemetry.deleteBlocks', () => run(other))
  await merge(kept.archive)
  expect([await spanBlocks(), index.coveredTo() > 0]).toEqual([turns * 2, true])
  await agree(before)

  // The other way round: those that came since.
  commit()
  await fill(kept)
  const more = await everything(kept)
  const back = await between(other, 'telemetry.holdBlocks', () => merge(kept.archive))
  const covered = index.coveredTo()
  await run(other)
  expect([await spanBlocks(), index.coveredTo()]).toEqual([turns * 2 + 1, covered])
  await agree(more)
  back.commit()
  await run(other)
  expect(index.coveredTo()).toBeGreaterThan(covered)
  await agree(more)
  await other.close()
  await kept.close()
})

test('a run waits for enough blocks that no earlier one can join any more', async () => {
  const kept = await keptAt('postgres', await newPlace('postgres'), () => clock)
  await fill(kept)
  clock += 180_000
  await fill(kept)
  const index = await indexOf(kept.archive)
  await index.tidy(clock, turns * 3)
  expect(index.coveredTo()).toBe(0)
  await index.tidy(clock, turns * 2)
  expect(index.coveredTo()).toBeGreaterThan(0)
  await kept.close()
})

async function indexOf(archive: Archive) {
  const [open] = await archive.all()
  if (open === undefined) throw new Error('there is a day')
  return archive.index(open)
}

/** Lets something happen after all is read and before it is written, once. */
async function between({ main }: Archive, name: string, happen: () => Promise<unknown>) {
  const original = { commit: main.commit.bind(main), append: main.append.bind(main) }
  let left = 1
  const isIt = (steps: readonly Step[]) => steps.some(({ query }) => query.name.startsWith(name)) && left-- > 0
  main.commit = async steps => {
    if (isIt(steps)) await happen()
    return original.commit(steps)
  }
  main.append = async (table, rows, steps = []) => {
    if (isIt(steps)) await happen()
    return original.append(table, rows, steps)
  }
  return { commit: () => Object.assign(main, original) }
}
