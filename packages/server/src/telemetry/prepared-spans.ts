import type { Origin, Span } from '../ingest/rows.ts'
import { msOf, nanosBetween } from './block.ts'
import { addHashes } from './bloom.ts'
import { type Part, type Prepared, textOf } from './prepared.ts'
import { lineOf, markOf } from './span-line.ts'

export interface PreparedSpans extends Prepared {
  traceIds: string[]
  names: string[]
  startMs: Float64Array
  durationMs: Float64Array
  marks: Uint8Array
}

export type SpanPart = Part<PreparedSpans>

export function prepareSpans(spans: readonly Span[]): PreparedSpans {
  const count = spans.length
  const lines: string[] = new Array(count)
  const hashes: number[] = []
  const prepared = {
    count,
    traceIds: new Array<string>(count),
    names: new Array<string>(count),
    origins: new Array<Origin>(count),
    startMs: new Float64Array(count),
    durationMs: new Float64Array(count),
    marks: new Uint8Array(count),
    hashEnds: new Uint32Array(count),
  }
  for (let at = 0; at < count; at++) {
    const span = spans[at] as Span
    const durationNs = Math.max(0, nanosBetween(span.start, span.end))
    lines[at] = lineOf(span, durationNs)
    prepared.traceIds[at] = span.traceId
    prepared.names[at] = span.name
    prepared.origins[at] = span.origin
    prepared.startMs[at] = msOf(span.start)
    prepared.durationMs[at] = durationNs / 1e6
    prepared.marks[at] = markOf(span)
    addHashes(hashes, span.attributes)
    prepared.hashEnds[at] = hashes.length
  }
  return { ...prepared, hashes: new Int32Array(hashes), ...textOf(lines) }
}
