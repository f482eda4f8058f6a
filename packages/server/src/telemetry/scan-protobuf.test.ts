import { expect, test } from 'vitest'
import { readExport } from '../ingest/otlp.ts'
import { prepareLogs } from './prepared-logs.ts'
import { prepareSpans } from './prepared-spans.ts'
import { scanProtobufLogs } from './scan-protobuf-logs.ts'
import { scanProtobufSpans } from './scan-protobuf-spans.ts'
import { hashesOf, randomly } from './testing/bodies.ts'
import * as wire from './testing/wire.ts'

type Item = Record<string, number[]>

const traceId = Buffer.from('5b8efff798038103d269b633813fc60c', 'hex')
const spanId = Buffer.from('eee19b7ec3c1b174', 'hex')
const at = 1_790_000_000_123_456_789n

const span: Item = {
  traceId: wire.sized(1, traceId),
  spanId: wire.sized(2, spanId),
  parentSpanId: wire.sized(4, spanId),
  name: wire.sized(5, 'GET /cart'),
  kind: wire.number(6, 2),
  start: wire.fixed64(7, at),
  end: wire.fixed64(8, at + 900_000_001n),
  attributes: wire.attributes(9).flat(),
  status: wire.sized(15, [...wire.sized(2, 'it failed'), ...wire.number(3, 2)]),
  flags: wire.fixed32(16, 257),
}
const oddSpan: Record<string, number[][]> = {
  traceId: [[], wire.sized(1, Buffer.alloc(16)), wire.sized(1, 'short'), wire.number(1, 5)],
  spanId: [[], wire.sized(2, Buffer.alloc(8)), [...wire.sized(2, spanId), ...wire.sized(2, spanId)]],
  parentSpanId: [[], wire.sized(4, ''), wire.sized(4, Buffer.alloc(8)), wire.sized(4, 'odd')],
  name: [[], wire.sized(5, ''), wire.sized(5, 'grün'), wire.sized(5, '"\n'), wire.sized(5, 'a'.repeat(300))],
  kind: [[], wire.number(6, -1), wire.number(6, 99), [0x30, 0x81, 0x00], wire.fixed32(6, 2), wire.number(6, 2n ** 33n)],
  start: [[], wire.fixed64(7, 0n), wire.fixed64(7, 5n), wire.fixed64(7, 4_100_000_000_000_000_000n), wire.number(7, 5)],
  end: [[], wire.fixed64(8, at), wire.fixed64(8, at - 1n), wire.fixed64(8, 1n), wire.fixed64(8, -1n)],
  attributes: [[], ...wire.oddAttributes(9)],
  status: [
    [],
    wire.sized(15, []),
    wire.sized(15, wire.number(3, 1)),
    wire.sized(15, wire.sized(2, 'why')),
    wire.sized(15, [...wire.number(3, 2), ...wire.sized(2, 'then')]),
    wire.sized(15, [...wire.sized(2, 'ü'), ...wire.number(3, 2)]),
    wire.sized(15, wire.number(3, -1)),
    wire.sized(15, [...wire.number(3, 2), ...wire.number(3, 1)]),
    wire.sized(15, wire.number(9, 1)),
  ],
  flags: [[], wire.fixed32(16, 0), wire.fixed32(16, 0xffff_ffff), wire.number(16, 1)],
  traceState: [wire.sized(3, ''), wire.sized(3, 'a=b')],
  dropped: [wire.number(10, 0), wire.number(12, 3), [0x70, 0x80, 0x00], [0x70, 0x81, 0x00], wire.sized(10, '')],
  events: [wire.sized(11, []), wire.sized(11, [...wire.fixed64(1, at), ...wire.sized(2, 'slow')])],
  links: [wire.sized(13, wire.sized(1, traceId)), wire.sized(13, [])],
  unknown: [wire.number(17, 1), wire.sized(20, 'x'), wire.number(99, 1), [0x8b, 0x01, 0x8c, 0x01], [0x00]],
}

const log: Item = {
  time: wire.fixed64(1, at),
  severity: wire.number(2, 9),
  severityText: wire.sized(3, 'INFO'),
  body: wire.sized(5, wire.sized(1, 'GET /cart answered 200 after 17 ms')),
  attributes: wire.attributes(6).flat(),
  flags: wire.fixed32(8, 1),
  traceId: wire.sized(9, traceId),
  spanId: wire.sized(10, spanId),
  observed: wire.fixed64(11, at + 5n),
}
const oddLog: Record<string, number[][]> = {
  time: [[], wire.fixed64(1, 0n), wire.fixed64(1, 5n), wire.fixed64(1, at + 5n)],
  severity: [[], wire.number(2, 300), wire.number(2, -1)],
  severityText: [[], wire.sized(3, 'größer'), wire.sized(3, '')],
  body: [
    [],
    wire.sized(5, []),
    wire.sized(5, wire.sized(1, '')),
    wire.sized(5, wire.sized(1, 'Grüße "an" alle')),
    wire.sized(5, wire.number(3, 42)),
    wire.sized(5, [...wire.sized(1, 'a'), ...wire.sized(1, 'b')]),
    wire.sized(5, wire.sized(6, wire.attribute(1, 'a', wire.sized(1, 'b')))),
    wire.sized(5, wire.sized(1, `${'word '.repeat(14_000)}end`)),
  ],
  attributes: [[], ...wire.oddAttributes(6)],
  dropped: [wire.number(7, 0), wire.number(7, 2)],
  flags: [[], wire.fixed32(8, 0)],
  traceId: [[], wire.sized(9, ''), wire.sized(9, Buffer.alloc(16)), wire.sized(9, 'odd')],
  spanId: [[], wire.sized(10, ''), wire.sized(10, 'odd')],
  observed: [[], wire.fixed64(11, at), wire.fixed64(11, 0n), wire.fixed64(11, 7n)],
  eventName: [wire.sized(12, ''), wire.sized(12, 'device.app.lifecycle')],
  unknown: [wire.number(4, 1), wire.sized(13, 'x'), wire.sized(20, 'x')],
}

function bodyOf(usual: Item, others: Record<string, number[][]>, next: (below: number) => number): Buffer {
  const items = Array.from({ length: 1 + next(4) }, () => {
    const item = { ...usual }
    for (const [field, values] of Object.entries(others)) {
      if (next(40) === 0) item[field] = values[next(values.length)] as number[]
    }
    const parts = Object.values(item)
    return (next(10) === 0 ? parts.toReversed() : parts).flat()
  })
  return wire.request(items, next(5) === 0 ? 'läden' : 'shop')
}

/** What would be kept of what objects are made of; nothing where it is refused, or some of it is left out. */
function parsed(signal: 'traces' | 'logs', body: Buffer) {
  try {
    if (signal === 'logs') {
      const { items } = readExport('logs', 'application/x-protobuf', body)
      return items.some(({ time }) => time === '0') ? undefined : prepareLogs(items)
    }
    const { items, rejected } = readExport('traces', 'application/x-protobuf', body)
    return rejected === 0 ? prepareSpans(items) : undefined
  } catch {
    return undefined
  }
}

const seen = (found: ReturnType<typeof parsed>) =>
  found && { ...found, text: found.text.toString('utf8'), hashes: hashesOf(found) }

const kinds = {
  traces: { scan: scanProtobufSpans, usual: span, others: oddSpan },
  logs: { scan: scanProtobufLogs, usual: log, others: oddLog },
}

test.each(['traces', 'logs'] as const)('protobuf of %s that is scanned is what would be parsed', signal => {
  const { scan, usual, others } = kinds[signal]
  const next = randomly(5)
  let scanned = 0
  for (let turn = 0; turn < 3000; turn++) {
    const body = bodyOf(usual, others, next)
    const found = scan(body)
    if (found === undefined) continue
    scanned++
    expect(seen(found), body.toString('hex')).toEqual(seen(parsed(signal, body)))
  }
  expect(scanned).toBeGreaterThan(2000)
})

test.each(['traces', 'logs'] as const)('protobuf of %s that is damaged is never taken for another', signal => {
  const { scan, usual, others } = kinds[signal]
  const next = randomly(9)
  let scanned = 0
  for (let turn = 0; turn < 6000; turn++) {
    const body = wire.damagedBytes(bodyOf(usual, others, next), next)
    const found = scan(body)
    if (found === undefined) continue
    scanned++
    expect(seen(found), body.toString('hex')).toEqual(seen(parsed(signal, body)))
  }
  expect(scanned).toBeGreaterThan(2000)
})

test('each odd way to write a field is read as it would be parsed', () => {
  for (const signal of ['traces', 'logs'] as const) {
    const { scan, usual, others } = kinds[signal]
    for (const [field, values] of Object.entries(others)) {
      for (const value of values) {
        const body = wire.request([Object.values({ ...usual, [field]: value }).flat()], 'shop')
        const found = scan(body)
        if (found !== undefined) expect(seen(found), `${signal} ${field}`).toEqual(seen(parsed(signal, body)))
      }
    }
  }
})

test('times are exact to the nanosecond', () => {
  const next = randomly(13)
  for (let turn = 0; turn < 5000; turn++) {
    const time = BigInt(next(3_000_000) + 1_000_000) * 1_000_000_000_000n + BigInt(next(2 ** 24)) * 59_604n
    const body = wire.request([Object.values({ ...log, time: wire.fixed64(1, time) }).flat()], 'shop')
    expect(scanProtobufLogs(body)?.text.toString()).toContain(`["${time}",9,`)
  }
})

test('many records that say little have room', () => {
  const body = wire.request(
    Array.from({ length: 9000 }, () => wire.fixed64(1, at)),
    'shop',
  )
  expect(seen(scanProtobufLogs(body))).toEqual(seen(parsed('logs', body)))
  expect(scanProtobufLogs(body)?.count).toBe(9000)
})
