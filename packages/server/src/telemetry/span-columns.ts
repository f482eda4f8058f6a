import { type Span, validSpanId, validTraceId } from '../ingest/rows.ts'
import { msOf, nanosBetween } from './block.ts'
import { addHashes } from './bloom.ts'
import { mostScanned } from './lines.ts'
import type { Prepared } from './prepared.ts'
import type { PreparedSpans } from './prepared-spans.ts'
import { giveUp } from './scan-bytes.ts'
import { lineOf, markOf, rootBit, statusBits } from './span-line.ts'

const startMs = new Float64Array(mostScanned)
const durationMs = new Float64Array(mostScanned)
const marks = new Uint8Array(mostScanned)

/** What the head of a block needs of spans that are scanned. */
export class SpanColumns {
  private readonly traceIds: string[] = []
  private readonly names: string[] = []

  set(at: number, traceId: string, name: string, start: number, durationNs: number, status: number, isRoot: boolean) {
    this.traceIds[at] = traceId
    this.names[at] = name
    startMs[at] = start
    durationMs[at] = durationNs / 1e6
    marks[at] = (status & statusBits) | (isRoot ? rootBit : 0)
  }

  /** Of one that was parsed. @returns its line */
  setParsed(at: number, span: Span, hashes: number[]): string {
    // Left out, and told of.
    if (!validTraceId(span.traceId) || !validSpanId(span.spanId)) giveUp()
    const durationNs = Math.max(0, nanosBetween(span.start, span.end))
    this.traceIds[at] = span.traceId
    this.names[at] = span.name
    startMs[at] = msOf(span.start)
    durationMs[at] = durationNs / 1e6
    marks[at] = markOf(span)
    addHashes(hashes, span.attributes)
    return lineOf(span, durationNs)
  }

  with(prepared: Prepared): PreparedSpans {
    const { count } = prepared
    return {
      ...prepared,
      traceIds: this.traceIds,
      names: this.names,
      startMs: startMs.slice(0, count),
      durationMs: durationMs.slice(0, count),
      marks: marks.slice(0, count),
    }
  }
}
