import { telemetryDay } from '@watchpost/store'
import { eachEngine, newPlace } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { Archive } from './archive.ts'
import { answers } from './ask.ts'
import { idAt } from './block-ids.ts'
import { Bloom } from './bloom.ts'
import { digestBlocks } from './digest-blocks.ts'
import { mergeBlocks } from './merge-blocks.ts'
import { allOf, everyTrace, type Kept, keptAt } from './testing/kept.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const day = 20_261_121
const turns = 30

/** Each turn a request of its own with a span, and one with a record. */
async function fill(kept: Kept, from: number, services = (turn: number) => `service-${turn % 3}`) {
  for (let turn = from; turn < from + turns; turn++) {
    const attributes = [{ key: 'turn', value: { stringValue: `t${turn}` } }]
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: services(turn) } }] }
    const time = { startTimeUnixNano: `${now + turn}000000`, endTimeUnixNano: `${now + turn + 5}000000` }
    const ids = { traceId: `${turn}`.padStart(32, 'a'), spanId: `${turn}`.padStart(16, 'b') }
    const spans = [{ ...ids, name: 'n', ...time, attributes, status: { code: turn % 2 === 0 ? 2 : 0 } }]
    await kept.keeper.keep([kept.entry('traces', { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })])
    const logRecords = [{ timeUnixNano: `${now + turn}000000`, body: { stringValue: `said t${turn}` } }]
    await kept.keeper.keep([kept.entry('logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] })])
  }
}

const rest = { q: undefined, severity: 0, traceId: undefined }

/** Every answer that looks through many blocks. */
async function everything(archive: Archive) {
  const find = async (turn: number) => [
    await allOf(archive, 'traces', { ...everyTrace, attributes: [['turn', `t${turn}`]] }),
    await allOf(archive, 'logs', { ...everyTrace, ...rest, q: `t${turn}` }),
  ]
  const services = (from: number, to: number) =>
    answers.services(archive, { app_id: 1, from: now + from, to: now + to })
  return {
    found: await Promise.all([0, 1, 17, 29, 30, 42, 59, 60, 999].map(find)),
    all: await services(-1, 1000),
    some: await Promise.all([0, 5, 13, 30, 47].map(at => services(at, at + 9))),
    others: await answers.services(archive, { app_id: 2, from: 0, to: Number.MAX_SAFE_INTEGER }),
  }
}

async function dayOf(archive: Archive) {
  const [open] = await archive.all()
  if (open === undefined) throw new Error('there is a day')
  return open
}

async function digestsOf(archive: Archive, kind = 0) {
  const { day, db } = await dayOf(archive)
  return db.all(telemetryDay(day).digests, { app_id: 1, kind, from: 0, to: Number.MAX_SAFE_INTEGER })
}

eachEngine((engine, place) => {
  test('digests change no answer, and only of blocks that stay as they are', async () => {
    let at = now
    const where = await place()
    const kept = await keptAt(engine, where, () => at)
    const { archive } = kept
    const digest = () => digestBlocks(archive, at, () => false, 1)
    await fill(kept, 0)
    const before = await everything(archive)
    expect(before.found.map(each => each.map(({ length }) => length))).toEqual([
      ...Array.from({ length: 4 }, () => [1, 1]),
      ...Array.from({ length: 5 }, () => [0, 0]),
    ])
    await digest()
    expect(await digestsOf(archive)).toEqual([])
    archive.settledTo.set(day, idAt(now + 30_000))
    await digest()
    expect([(await digestsOf(archive)).length, (await digestsOf(archive, 1)).length]).toEqual([10, 10])
    expect(await everything(archive)).toEqual(before)

    at += 60_000
    await fill(kept, 30)
    const after = await everything(archive)
    expect(after.all.rows.map(row => row.span_count)).toEqual([20, 20, 20])
    archive.settledTo.set(day, Number.MAX_SAFE_INTEGER)
    for (let turn = 0; turn < 5; turn++) await digest()
    // More than are read at once.
    expect((await digestsOf(archive)).length).toBe(60)
    expect(await everything(archive)).toEqual(after)
    // What digests name is not put together any more, also by who has just started.
    const other = await Archive.open(where.dataDir, where.databaseUrl)
    await mergeBlocks(other, at + 60_000, () => false)
    expect(await everything(other)).toEqual(after)
    await other.close()
    await kept.close()
  })

  test('a day that is over is digested to its last block', async () => {
    const kept = await keptAt(engine, await place(), () => now)
    await fill(kept, 0)
    const before = await everything(kept.archive)
    await digestBlocks(kept.archive, now + 2 * 86_400_000, () => false)
    expect((await digestsOf(kept.archive)).length).toBe(1)
    expect(kept.archive.digested.has(day)).toBe(true)
    expect(await everything(kept.archive)).toEqual(before)
    await kept.close()
  })

  test('blocks that a digest rules out are not looked at, and services are counted without them', async () => {
    const kept = await keptAt(engine, await place(), () => now)
    await fill(kept, 0)
    await digestBlocks(kept.archive, now + 2 * 86_400_000, () => false)
    const open = await dayOf(kept.archive)
    const { blooms, blocksBetween, contents } = telemetryDay(open.day)
    const asked: string[] = []
    let looked = 0
    const all = open.db.all.bind(open.db)
    open.db.all = (async (query: typeof blooms, params: { ids: number[] }) => {
      asked.push(query.name)
      if (query.name === blooms.name) looked += params.ids.length
      const rows = await all(query, params)
      if (query.name === blocksBetween.name) expect(rows).toEqual([])
      return rows
    }) as typeof open.db.all
    expect((await allOf(kept.archive, 'traces', { ...everyTrace, attributes: [['turn', 't40']] })).length).toBe(0)
    expect((await allOf(kept.archive, 'logs', { ...everyTrace, ...rest, q: 't40' })).length).toBe(0)
    const { rows } = await answers.services(kept.archive, { app_id: 1, from: 0, to: Number.MAX_SAFE_INTEGER })
    expect(rows.map(row => [row.span_count, row.log_count])).toEqual([1, 2, 3].map(() => [10, 10]))
    expect(asked).not.toContain(contents.name)
    // Of 30 of each kind the newest 20.
    expect(looked).toBeLessThan(44)
    await kept.close()
  })

  test('a digest of too many services leaves them to their blocks', async () => {
    const kept = await keptAt(engine, await place(), () => now)
    const resourceSpans = Array.from({ length: 600 }, (_, at) => ({
      resource: { attributes: [{ key: 'service.name', value: { stringValue: `s${at}` } }] },
      scopeSpans: [{ spans: [{ traceId: 'a'.repeat(32), spanId: `${at}`.padStart(16, 'b'), name: 'n' }] }],
    }))
    await kept.keeper.keep([kept.entry('traces', { resourceSpans })])
    await digestBlocks(kept.archive, now + 2 * 86_400_000, () => false)
    expect((await digestsOf(kept.archive)).map(({ services }) => services)).toEqual([null])
    const all = await answers.services(kept.archive, { app_id: 1, from: 0, to: Number.MAX_SAFE_INTEGER })
    expect([all.rows.length, all.meta.complete]).toEqual([600, true])
    await kept.close()
  })
})

test('replicas that digest at once, or beside one that puts blocks together, count nothing twice', async () => {
  const place = await newPlace('postgres')
  const kept = await keptAt('postgres', place, () => now)
  await fill(kept, 0)
  const before = await everything(kept.archive)
  const others = await Promise.all([1, 2].map(() => Archive.open(place.dataDir, place.databaseUrl)))
  for (const archive of [kept.archive, ...others]) archive.settledTo.set(day, Number.MAX_SAFE_INTEGER)
  const [one, two] = others as [Archive, Archive]
  await Promise.all([
    mergeBlocks(kept.archive, now + 60_000, () => false),
    digestBlocks(one, now, () => false, 8),
    digestBlocks(two, now, () => false, 8),
  ])
  for (const archive of [kept.archive, ...others]) expect(await everything(archive)).toEqual(before)
  await Promise.all(others.map(archive => archive.close()))
  await kept.close()
})

test('a folded filter has all that the whole has', () => {
  for (const items of [1, 3, 100, 1999]) {
    const whole = Bloom.of(items)
    const hashes = Array.from({ length: items }, (_, at) => Math.imul(at + 1, 0x9e3779b1))
    for (const hash of hashes) whole.add(hash)
    const folded = new Bloom(new Bloom(whole.bytes).folded() as Uint8Array)
    expect(folded.bytes.length).toBeLessThan(whole.bytes.length / 2 + 1)
    expect(hashes.every(hash => folded.has(hash))).toBe(true)
    const wrong = Array.from({ length: 1000 }, (_, at) => Math.imul(at + 1, 0x85ebca6b) ^ 0x5bd1e995)
    expect(wrong.filter(hash => folded.has(hash)).length).toBeLessThan(100)
  }
})
