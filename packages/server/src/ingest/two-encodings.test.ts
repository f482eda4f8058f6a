import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { randomly } from '../telemetry/testing/bodies.ts'
import { readExport, type Signal } from './otlp.ts'
import { encode } from './testing/encode.ts'
import { bodyOf } from './testing/random-body.ts'

const readJson = (signal: Signal, body: object) =>
  readExport(signal, 'application/json', Buffer.from(JSON.stringify(body)))
const readProtobuf = (signal: Signal, body: object) =>
  readExport(signal, 'application/x-protobuf', encode(signal, body))

test.each(['traces', 'logs', 'metrics'] as const)('%s are the same rows in both encodings', signal => {
  const next = randomly(17)
  for (let turn = 0; turn < 800; turn++) {
    const body = bodyOf(signal, next)
    expect(readProtobuf(signal, body), JSON.stringify(body)).toEqual(readJson(signal, body))
  }
})

test.each([
  ['traces', 'trace'],
  ['logs', 'logs'],
  ['metrics', 'metrics'],
] as const)('the official example of %s is, too', (signal, file) => {
  const body = JSON.parse(readFileSync(`${import.meta.dirname}/testing/otlp-examples/${file}.json`, 'utf8'))
  const rows = readJson(signal, body)
  expect(rows.items.length).toBeGreaterThan(0)
  expect(readProtobuf(signal, body)).toEqual(rows)
})
