import { expect, test } from 'vitest'
import { type MediaType, readExport } from '../ingest/otlp.ts'
import { encode } from '../ingest/testing/encode.ts'
import { bodyOf } from '../ingest/testing/random-body.ts'
import { prepareLogs } from './prepared-logs.ts'
import { prepareSpans } from './prepared-spans.ts'
import { scanLogs } from './scan-logs.ts'
import { scanPoints } from './scan-points.ts'
import { scanProtobufLogs } from './scan-protobuf-logs.ts'
import { scanProtobufSpans } from './scan-protobuf-spans.ts'
import { scanSpans } from './scan-spans.ts'
import { damaged, hashesOf, randomly } from './testing/bodies.ts'
import { damagedBytes } from './testing/wire.ts'

type Found = ReturnType<typeof prepareSpans> | ReturnType<typeof prepareLogs> | undefined

const seen = (found: Found) => found && { ...found, text: found.text.toString('utf8'), hashes: hashesOf(found) }

/** Of those who make objects; nothing where it is refused, or some of it is left out. */
function parsed(signal: 'traces' | 'logs', media: MediaType, body: Buffer): Found {
  try {
    if (signal === 'traces') {
      const { items, rejected } = readExport(signal, media, body)
      return rejected === 0 ? prepareSpans(items) : undefined
    }
    const { items } = readExport(signal, media, body)
    return items.some(({ time }) => time === '0') ? undefined : prepareLogs(items)
  } catch {
    return undefined
  }
}

const scanners = [
  ['traces', 'application/json', scanSpans],
  ['logs', 'application/json', scanLogs],
  ['traces', 'application/x-protobuf', scanProtobufSpans],
  ['logs', 'application/x-protobuf', scanProtobufLogs],
] as const

test.each(scanners)(
  '%s in %s, with all that there is in them, are scanned as they would be parsed',
  (signal, media, scan) => {
    const next = randomly(23)
    const isJson = media === 'application/json'
    let scanned = 0
    for (let turn = 0; turn < 1500; turn++) {
      const body = bodyOf(signal, next)
      const isDamaged = turn % 2 === 1
      const text = JSON.stringify(body)
      const bytes = isJson
        ? Buffer.from(isDamaged ? damaged(text, next) : text)
        : isDamaged && text.length > 30
          ? damagedBytes(encode(signal, body), next)
          : encode(signal, body)
      const found = scan(bytes)
      if (found === undefined) continue
      scanned++
      expect(seen(found), bytes.toString(isJson ? 'utf8' : 'hex')).toEqual(seen(parsed(signal, media, bytes)))
    }
    expect(scanned).toBeGreaterThan(200)
  },
)

test('so are points', () => {
  const next = randomly(29)
  let scanned = 0
  for (let turn = 0; turn < 1500; turn++) {
    const text = JSON.stringify(bodyOf('metrics', next))
    const bytes = Buffer.from(turn % 2 === 1 ? damaged(text, next) : text)
    const found = scanPoints(bytes)
    if (found === undefined) continue
    scanned++
    expect(found, bytes.toString()).toEqual(readExport('metrics', 'application/json', bytes).items)
  }
  expect(scanned).toBeGreaterThan(200)
})
