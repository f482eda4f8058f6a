import type { Origin, Span } from '../ingest/rows.ts'
import { msOf, nanosBetween } from './block.ts'
import { addHashes } from './bloom.ts'
import { lineOf, markOf } from './span-line.ts'

/**
 * Spans of one request as their block wants them. They wait for others, and so do all that came with them: bytes and a few
 * numbers each, which nobody has to look after meanwhile as after the objects that were parsed.
 */
export interface PreparedSpans {
  count: number
  /** Their lines, each with its end. */
  text: Buffer
  lineEnds: Uint32Array
  traceIds: string[]
  names: string[]
  origins: Origin[]
  startMs: Float64Array
  durationMs: Float64Array
  marks: Uint8Array
  /** Of attributes, those of a span up to its end. */
  hashes: Int32Array
  hashEnds: Uint32Array
}

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
  return { ...prepared, hashes: Int32Array.from(hashes), ...textOf(lines) }
}

function textOf(lines: string[]): Pick<PreparedSpans, 'text' | 'lineEnds'> {
  const joined = `${lines.join('\n')}\n`
  const text = Buffer.from(joined)
  // Mostly every character is a byte.
  const isPlain = text.length === joined.length
  const lineEnds = new Uint32Array(lines.length)
  let end = 0
  lines.forEach((line, at) => {
    end += (isPlain ? line.length : Buffer.byteLength(line)) + 1
    lineEnds[at] = end
  })
  return { text, lineEnds }
}

/** The lines of a part. */
export function linesOf({ prepared: { text, lineEnds }, from, to }: SpanPart): Buffer {
  return text.subarray(from === 0 ? 0 : lineEnds[from - 1], lineEnds[to - 1])
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
