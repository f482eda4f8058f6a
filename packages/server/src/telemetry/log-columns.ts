import type { LogRecord } from '../ingest/rows.ts'
import { msOf } from './block.ts'
import { addHashes, addWords, wordOf } from './bloom.ts'
import { mostScanned } from './lines.ts'
import { lineOf, originPlace } from './log-line.ts'
import type { Prepared } from './prepared.ts'
import { type PreparedLogs, traceHash } from './prepared-logs.ts'
import { giveUp } from './scan-bytes.ts'

const times = new Float64Array(mostScanned)
const severities = new Uint8ClampedArray(mostScanned)
const originAt = new Uint32Array(mostScanned)

/** What the head of a block needs of log records that are scanned. */
export class LogColumns {
  private isLong = false

  set(at: number, time: number, severity: number, origin: number): void {
    times[at] = time
    severities[at] = severity
    originAt[at] = origin
  }

  /** Of one that was parsed. @param to where its line will be; @returns the line */
  setParsed(at: number, record: LogRecord, to: number, hashes: number[]): string {
    // The time of its arrival is given to it by others.
    if (record.time === '0') giveUp()
    const line = lineOf(record)
    times[at] = msOf(record.time)
    severities[at] = record.severity
    originAt[at] = to + Buffer.byteLength(line.slice(0, originPlace(record)))
    addHashes(hashes, record.attributes)
    if (record.traceId !== '') hashes.push(traceHash(record.traceId))
    if (!addWords(hashes, wordOf(record.body))) this.isLong = true
    return line
  }

  with(prepared: Prepared): PreparedLogs {
    const { count } = prepared
    return {
      ...prepared,
      isLong: this.isLong,
      times: times.slice(0, count),
      severities: severities.slice(0, count),
      originAt: originAt.slice(0, count),
    }
  }
}

const nullHashes: number[] = []
addWords(nullHashes, wordOf(null))

/** Words of a record without a body. */
export const nullWords: readonly number[] = nullHashes
