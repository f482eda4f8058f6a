import { constants } from 'node:fs'
import { appendFile, open, readdir, readFile, truncate, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { CheckResult } from '@watchpost/contract'
import { SeqSet } from './seq-set.ts'

/** One result as a segment holds it. */
export interface SpoolRecord {
  seq: number
  /** Epoch milliseconds of this host, when it was spooled. */
  at: number
  result: CheckResult
}

/** One file of the spool: results and their acknowledgements, one JSON line each, only ever appended to. */
export interface Segment {
  readonly path: string
  bytes: number
  firstAt: number
  lastAt: number
  /** Numbers of the results not yet acknowledged. */
  readonly pending: SeqSet
  /** Numbers acknowledged since the file was last told: it is told together with what is written next. */
  untold: number[]
}

export function newSegment(path: string, at: number): Segment {
  return { path, bytes: 0, firstAt: at, lastAt: at, pending: new SeqSet(), untold: [] }
}

/** What lies in a directory, oldest first, and the first number above all that were used there. */
export async function openSegments(dir: string): Promise<{ segments: Segment[]; nextSeq: number }> {
  const segments: Segment[] = []
  let nextSeq = 1
  for (const name of (await readdir(dir)).filter(name => /^\d+\.jsonl$/.test(name)).sort()) {
    const { segment, lastSeq } = await openSegment(join(dir, name))
    nextSeq = Math.max(nextSeq, lastSeq + 1, Number.parseInt(name, 10) + 1)
    if (segment.pending.size > 0) segments.push(segment)
    else await unlink(segment.path)
  }
  return { segments, nextSeq }
}

/**
 * Reads what a former process left. A last line without its end was being written when that process died: it is cut
 * off, so that what is appended later starts on a line of its own.
 */
export async function openSegment(path: string): Promise<{ segment: Segment; lastSeq: number }> {
  const content = await readFile(path)
  const end = content.lastIndexOf(0x0a) + 1
  if (end < content.length) await truncate(path, end)
  const records = parseLines(content.toString('utf8', 0, end))
  const segment = newSegment(path, records.results[0]?.at ?? 0)
  segment.bytes = end
  let lastSeq = 0
  for (const { seq, at } of records.results) {
    segment.pending.add(seq)
    segment.lastAt = Math.max(segment.lastAt, at)
    lastSeq = Math.max(lastSeq, seq)
  }
  for (const seq of records.acknowledged) segment.pending.delete(seq)
  return { segment, lastSeq }
}

/** The results of a segment that are not yet acknowledged, oldest first. */
export async function readPending(segment: Segment): Promise<SpoolRecord[]> {
  const { results } = parseLines(await readFile(segment.path, 'utf8'))
  return results.filter(record => segment.pending.has(record.seq))
}

/**
 * Takes out of the segment the line that says what need not be sent again. Should it be lost, the results are sent again
 * and the server knows them by their run ids.
 */
export function takeAcknowledged(segment: Segment): string {
  return segment.untold.length === 0 ? '' : `${JSON.stringify({ ack: segment.untold.splice(0) })}\n`
}

/** Notes in a segment that nothing more is added to what need not be sent again. */
export async function writeAcknowledged(segment: Segment): Promise<void> {
  const line = takeAcknowledged(segment)
  if (line === '') return
  // Never makes the file: it may just have been deleted, with nothing pending in it.
  await appendFile(segment.path, line, { flag: constants.O_WRONLY | constants.O_APPEND })
  segment.bytes += Buffer.byteLength(line)
}

/** Finds out at start, with one clear error, what would otherwise fail at the first result. */
export async function probeWriting(dir: string): Promise<void> {
  const path = join(dir, `.write-test-${process.pid}`)
  const file = await open(path, 'w', 0o600)
  await file.close()
  await unlink(path)
}

/** Makes the names in a directory as durable as what the files hold. */
export async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r')
  // Some file systems do not sync directories; there is nothing better to do on those.
  await handle.sync().catch(() => undefined)
  await handle.close()
}

function parseLines(text: string): { results: SpoolRecord[]; acknowledged: number[] } {
  const results: SpoolRecord[] = []
  const acknowledged: number[] = []
  for (const line of text.split('\n')) {
    const value = parseLine(line)
    if (value === undefined) continue
    if (Array.isArray(value.ack)) acknowledged.push(...value.ack)
    else if (typeof value.seq === 'number' && value.result !== undefined) results.push(value as SpoolRecord)
  }
  return { results, acknowledged }
}

/** A line damaged on disk costs only itself. */
function parseLine(line: string): (Partial<SpoolRecord> & { ack?: number[] }) | undefined {
  if (line === '') return undefined
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
