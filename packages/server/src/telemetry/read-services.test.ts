import { eachEngine } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { readServices } from './read-services.ts'
import { keptAt } from './testing/kept.ts'

const day = Date.parse('2026-11-20T00:00:00Z')

eachEngine((engine, newPlace) => {
  test('services of several days are counted, and of very many the newest are listed', async () => {
    let now = day
    const kept = await keptAt(engine, await newPlace(), () => now)
    const send = async (...names: string[]) => {
      const resourceSpans = names.map((name, at) => ({
        resource: { attributes: [{ key: 'service.name', value: { stringValue: name } }] },
        scopeSpans: [
          {
            spans: [0, 2].map(code => ({
              traceId: `${at}`.padStart(32, 'a'),
              spanId: `${code}`.padStart(16, 'b'),
              startTimeUnixNano: `${now}000000`,
              status: { code },
            })),
          },
        ],
      }))
      await kept.keeper.keep([kept.entry('traces', { resourceSpans })])
    }
    const ask = () => readServices(kept.archive, { app_id: 1, from: 0, to: Number.MAX_SAFE_INTEGER })
    await send('shop', 'cart')
    now += 86_400_000
    await send('shop')
    const logs = [{ timeUnixNano: `${now + 5}000000`, body: { stringValue: 'x' } }]
    await kept.keeper.keep([kept.entry('logs', { resourceLogs: [{ scopeLogs: [{ logRecords: logs }] }] })])
    const iso = (at: number) => new Date(at).toISOString()
    expect(await ask()).toEqual({
      rows: [
        { name: 'cart', span_count: 2, error_count: 1, log_count: 0, last_seen_at: iso(day) },
        { name: 'shop', span_count: 4, error_count: 2, log_count: 0, last_seen_at: iso(now) },
        { name: 'unknown_service', span_count: 0, error_count: 0, log_count: 1, last_seen_at: iso(now + 5) },
      ],
      meta: { next_cursor: null, complete: true },
    })
    for (let turn = 0; turn < 3; turn++) {
      now += 1000
      await send(...Array.from({ length: 900 }, (_, at) => `${turn}.${at}`))
    }
    const { rows, meta } = await ask()
    expect([rows.length, meta.complete]).toEqual([2000, false])
    expect(rows.some(({ name }) => name === '2.899')).toBe(true)
    await kept.close()
  })
})
