import { crc32, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { type ItemOf, type MediaType, readExport, type Signal, signals } from '../ingest/otlp.ts'
import { type LogRecord, type Point, type Span, UnreadableError } from '../ingest/rows.ts'
import { type PreparedLogs, prepareLogs } from './prepared-logs.ts'
import { type PreparedSpans, prepareSpans } from './prepared-spans.ts'
import type { Answer, OfApp, Sent } from './protocol.ts'
import { scanLogs } from './scan-logs.ts'
import { scanPoints } from './scan-points.ts'
import { scanProtobufLogs } from './scan-protobuf-logs.ts'
import { scanProtobufSpans } from './scan-protobuf-spans.ts'
import { scanSpans } from './scan-spans.ts'

/** What a request holds. */
export interface Content {
  spans?: PreparedSpans
  logs?: PreparedLogs
  points?: Point[]
}

/** A request that was read and waits to be kept. */
export interface Entry {
  id: number
  app: OfApp
  signal: Signal
  items: number
  rejected: number
  reason: string
  content: Content
  /** Of the body, decompressed. */
  bytes: number
  /** Of who sent what: the same again has the same. */
  hash: string
}

/** Reads a request; what cannot be kept is answered at once. */
export function readSent(sent: Sent, largestBody: number): Entry | Answer {
  const { id, app, signal, media } = sent
  try {
    const body = decompress(sent, largestBody)
    if (body === undefined) return refusal(id, 413, `The body is larger than ${largestBody} bytes when decompressed`)
    const checksum = hashOf(app.id, signal, body)
    const scanned = scan(signal, media, body)
    if (scanned !== undefined) {
      const { items, content } = scanned
      return { id, app, signal, items, rejected: 0, reason: '', bytes: body.length, hash: checksum, content }
    }
    const batch = readExport(signal, media, body)
    const { items, rejected, reason } = batch
    const entry = { id, app, signal, items: items.length, rejected, reason, bytes: body.length, hash: checksum }
    return { ...entry, content: contentOf(signal, items) }
  } catch (error) {
    if (error instanceof UnreadableError) return refusal(id, 400, error.message)
    throw error
  }
}

/** What can be kept without making objects of it first; undefined where it must be parsed. */
function scan(signal: Signal, media: MediaType, body: Buffer): { items: number; content: Content } | undefined {
  const isJson = media === 'application/json'
  if (signal === 'traces') {
    const spans = isJson ? scanSpans(body) : scanProtobufSpans(body)
    return spans && { items: spans.count, content: { spans } }
  }
  if (signal === 'logs') {
    const logs = isJson ? scanLogs(body) : scanProtobufLogs(body)
    return logs && { items: logs.count, content: { logs } }
  }
  const points = isJson ? scanPoints(body) : undefined
  return points && { items: points.length, content: { points } }
}

/** At the end of a body, read once more. */
const tail = 512

/**
 * Of who sent what, 18 bytes. It is only held against the few requests whose answers were lost, so checksums are enough, and
 * cost a tenth of what a cryptographic hash does.
 */
function hashOf(app_id: number, signal: Signal, body: Buffer): string {
  const whole = Buffer.allocUnsafe(18)
  whole.writeUIntLE(app_id % 2 ** 48, 0, 6)
  whole.writeUInt32LE((body.length * 4 + signals.indexOf(signal)) >>> 0, 6)
  whole.writeUInt32LE(crc32(body), 10)
  // Two long bodies that are alike by chance in the whole are not in their ends, too.
  whole.writeUInt32LE(crc32(body.subarray(-tail)), 14)
  return whole.toString('base64url')
}

/** Where the sender says neither when it happened nor when it was seen, it was seen now. */
function giveTimes(records: LogRecord[]): void {
  const now = `${Date.now()}000000`
  for (const record of records) if (record.time === '0') record.time = now
}

export function contentOf(signal: Signal, items: ItemOf[Signal][]): Content {
  if (signal === 'traces') return { spans: prepareSpans(items as Span[]) }
  if (signal === 'metrics') return { points: items as Point[] }
  giveTimes(items as LogRecord[])
  return { logs: prepareLogs(items as LogRecord[]) }
}

export function refusal(id: number, status: Answer['status'], reason: string): Answer {
  return { id, status, rejected: 0, reason }
}

/** @returns undefined where it is too large */
function decompress({ encoding, body }: Sent, maxOutputLength: number): Buffer | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (encoding === 'identity') return bytes
  try {
    if (encoding === 'gzip') return gunzipSync(bytes, { maxOutputLength })
    // The name stands for two formats; the one that it should mean begins like this.
    const isZlib = ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 31 === 0
    return isZlib ? inflateSync(bytes, { maxOutputLength }) : inflateRawSync(bytes, { maxOutputLength })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw new UnreadableError(`The body is not ${encoding}`)
  }
}
