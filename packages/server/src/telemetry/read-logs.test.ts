import { eachEngine } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { type LogSearch, readLogs } from './read-logs.ts'
import { everyTrace, keptAt } from './testing/kept.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const search: LogSearch = { ...everyTrace, limit: 1000, q: undefined, severity: 0, traceId: undefined }

eachEngine((engine, newPlace) => {
  test('pages of large records end early, and their cursor leaves none out and gives none twice', async () => {
    const kept = await keptAt(engine, await newPlace(), () => now)
    // Blocks overlap in time, and some records are of one moment; who sent them counts, too.
    for (let block = 0; block < 10; block++) {
      const logRecords = Array.from({ length: 6 }, (_, at) => ({
        timeUnixNano: `${now + ((at * 7 + block) % 11)}000000`,
        body: { stringValue: `${block}.${at} ${'x'.repeat(at % 2 === 0 ? 600_000 : 10)}` },
      }))
      const resource = { attributes: [{ key: 'env', value: { stringValue: 'y'.repeat(block === 3 ? 1_500_000 : 5) } }] }
      await kept.keeper.keep([kept.entry('logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] })])
    }
    const seen: [string, string][] = []
    let pages = 0
    for (let cursor: string | undefined; ; pages++) {
      const { rows, meta } = await readLogs(kept.archive, { ...search, cursor })
      const text = JSON.stringify(rows).length
      expect(rows.length === 1 || text < 4_300_000, `${text}`).toBe(true)
      seen.push(
        ...rows.map(({ timestamp, body }): [string, string] => [timestamp, String(body).split(' ')[0] as string]),
      )
      if (meta.next_cursor === null) break
      cursor = meta.next_cursor
    }
    expect(pages).toBeGreaterThan(5)
    expect(new Set(seen.map(([, name]) => name)).size).toBe(60)
    expect(seen.length).toBe(60)
    const times = seen.map(([timestamp]) => timestamp)
    expect(times).toEqual(times.toSorted().toReversed())
    await kept.close()
  })

  test('records are in the order of their nanoseconds, whatever block they are in', async () => {
    const kept = await keptAt(engine, await newPlace(), () => now)
    const times = Array.from({ length: 300 }, (_, at) => `${BigInt(now) * 1_000_000n + BigInt(at) * 7n}`)
    for (let block = 0; block < 3; block++) {
      const logRecords = times.map(timeUnixNano => ({ timeUnixNano })).filter((_, at) => (at * 7) % 3 === block)
      await kept.keeper.keep([kept.entry('logs', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] })])
    }
    const seen: string[] = []
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const { rows, meta } = await readLogs(kept.archive, { ...search, limit: 11, cursor })
      seen.push(...rows.map(({ time_unix_nano }) => time_unix_nano))
      cursor = meta.next_cursor
    }
    expect(seen).toEqual(times.toReversed())
    await kept.close()
  })

  test('of moments with many records each is listed once, wherever a page ends', async () => {
    const kept = await keptAt(engine, await newPlace(), () => now)
    const send = async (count: number, name: string, time: (at: number) => number) => {
      const logRecords = Array.from({ length: count }, (_, at) => ({
        timeUnixNano: `${time(at)}000000`,
        body: { stringValue: `${name} ${at}` },
      }))
      await kept.keeper.keep([kept.entry('logs', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] })])
    }
    await send(200, 'five of each', at => now + Math.floor(at / 5))
    await send(100, 'older', at => now - 1 - at)
    for (const limit of [4, 9, 34, 39, 1000]) {
      const seen: unknown[] = []
      for (let cursor: string | undefined | null; cursor !== null; ) {
        const { rows, meta } = await readLogs(kept.archive, { ...search, limit, cursor })
        seen.push(...rows.map(({ body }) => body))
        cursor = meta.next_cursor
      }
      expect([limit, seen.length, new Set(seen).size]).toEqual([limit, 300, 300])
    }
    await kept.close()
  })
})
