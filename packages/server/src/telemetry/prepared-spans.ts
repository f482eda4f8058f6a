import type { Origin, Span } from '../ingest/rows.ts'
import { msOf, nanosBetween } from './block.ts'
import { addHashes } from './bloom.ts'
import { lineOf, markOf } from './span-line.ts'

/**
 * Spans of one request as their block wants them. They wait for others, and so do all that came with them: a line of text
 * and a few numbers each are a hundredth of the objects that were parsed, which nobody has to look after meanwhile.
 */
export interface PreparedSpans {
  count: number
  lines: string[]
  traceIds: string[]
  names: string[]
  origins: Origin[]
  startMs: Float64Array
  durationMs: Float64Array
  marks: Uint8Array
  /** Of attributes, those of a span up to its end. */
  hashes: number[]
  hashEnds: Uint32Array
}

export function prepareSpans(spans: readonly Span[]): PreparedSpans {
  const count = spans.length
  const prepared: PreparedSpans = {
    count,
    lines: new Array(count),
    traceIds: new Array(count),
    names: new Array(count),
    origins: new Array(count),
    startMs: new Float64Array(count),
    durationMs: new Float64Array(count),
    marks: new Uint8Array(count),
    hashes: [],
    hashEnds: new Uint32Array(count),
  }
  for (let at = 0; at < count; at++) {
    const span = spans[at] as Span
    const durationNs = Math.max(0, nanosBetween(span.start, span.end))
    prepared.lines[at] = lineOf(span, durationNs)
    prepared.traceIds[at] = span.traceId
    prepared.names[at] = span.name
    prepared.origins[at] = span.origin
    prepared.startMs[at] = msOf(span.start)
    prepared.durationMs[at] = durationNs / 1e6
    prepared.marks[at] = markOf(span)
    addHashes(prepared.hashes, span.attributes)
    prepared.hashEnds[at] = prepared.hashes.length
  }
  return prepared
}

/** Some of them, from one to before another. */
export interface SpanPart {
  prepared: PreparedSpans
  from: number
  to: number
}

/** Parts in pieces of like size, none with more spans than a block may have. */
export function spanSlices(parts: readonly SpanPart[], most: number): SpanPart[][] {
  const total = parts.reduce((sum, { from, to }) => sum + to - from, 0)
  const size = Math.ceil(total / Math.max(1, Math.ceil(total / most)))
  const slices: SpanPart[][] = []
  let room = 0
  for (const { prepared, from, to } of parts) {
    for (let at = from; at < to; ) {
      if (room === 0) {
        slices.push([])
        room = size
      }
      const end = Math.min(to, at + room)
      slices.at(-1)?.push({ prepared, from: at, to: end })
      room -= end - at
      at = end
    }
  }
  return slices
}
