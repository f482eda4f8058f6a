import type { LogRecord, Origin } from '../ingest/rows.ts'
import { msOf } from './block.ts'
import { addHashes, addWords, attributeHash, wordOf } from './bloom.ts'
import { lineOf, originPlace } from './log-line.ts'
import { type Part, type Prepared, textOf } from './prepared.ts'

export interface PreparedLogs extends Prepared {
  times: Float64Array
  severities: Uint8ClampedArray
  /** Where in the text the number of a record's sender stands. */
  originAt: Uint32Array
  /** Whether one is too long for a filter to know its words. */
  isLong: boolean
}

export type LogPart = Part<PreparedLogs>

export const traceHash = (traceId: string): number => attributeHash('\0trace', traceId)

export function prepareLogs(records: readonly LogRecord[]): PreparedLogs {
  const count = records.length
  const lines: string[] = new Array(count)
  const hashes: number[] = []
  const prepared = {
    count,
    origins: new Array<Origin>(count),
    times: new Float64Array(count),
    severities: new Uint8ClampedArray(count),
    originAt: new Uint32Array(count),
    hashEnds: new Uint32Array(count),
    isLong: false,
  }
  for (let at = 0; at < count; at++) {
    const record = records[at] as LogRecord
    lines[at] = lineOf(record)
    prepared.origins[at] = record.origin
    prepared.times[at] = msOf(record.time)
    prepared.severities[at] = record.severity
    addHashes(hashes, record.attributes)
    if (record.traceId !== '') hashes.push(traceHash(record.traceId))
    if (!addWords(hashes, wordOf(record.body))) prepared.isLong = true
    prepared.hashEnds[at] = hashes.length
  }
  const { text, lineEnds } = textOf(lines)
  for (let at = 0; at < count; at++) {
    const begin = at === 0 ? 0 : (lineEnds[at - 1] as number)
    const line = lines[at] as string
    const place = originPlace(records[at] as LogRecord)
    const isPlain = (lineEnds[at] as number) - begin === line.length + 1
    prepared.originAt[at] = begin + (isPlain ? place : Buffer.byteLength(line.slice(0, place)))
  }
  return { ...prepared, hashes: new Int32Array(hashes), text, lineEnds }
}
