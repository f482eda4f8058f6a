import { type Json, readJson } from './json.ts'
import { readLogs } from './otlp-logs.ts'
import { readMetrics } from './otlp-metrics.ts'
import { readTraces } from './otlp-traces.ts'
import { Reader } from './protobuf.ts'
import { readProtobufLogs } from './protobuf-logs.ts'
import { readProtobufMetrics } from './protobuf-metrics.ts'
import { readProtobufTraces } from './protobuf-traces.ts'
import type { Batch, LogRecord, Point, Span } from './rows.ts'

export const signals = ['traces', 'logs', 'metrics'] as const
export type Signal = (typeof signals)[number]

export const mediaTypes = ['application/json', 'application/x-protobuf'] as const
export type MediaType = (typeof mediaTypes)[number]

export interface ItemOf {
  traces: Span
  logs: LogRecord
  metrics: Point
}

const readers: {
  [S in Signal]: { json(body: Json): Batch<ItemOf[S]>; protobuf(reader: Reader): Batch<ItemOf[S]> }
} = {
  traces: { json: readTraces, protobuf: readProtobufTraces },
  logs: { json: readLogs, protobuf: readProtobufLogs },
  metrics: { json: readMetrics, protobuf: readProtobufMetrics },
}

/**
 * Bytes in, rows out: what an export request holds.
 * @param bytes decompressed
 * @throws {UnreadableError} for what cannot be read
 */
export function readExport<S extends Signal>(signal: S, media: MediaType, bytes: Buffer): Batch<ItemOf[S]> {
  const { json, protobuf } = readers[signal]
  return media === 'application/json' ? readJson(bytes, json) : protobuf(new Reader(bytes))
}
