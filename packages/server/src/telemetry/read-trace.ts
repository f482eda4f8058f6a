import type { TraceSpan } from '@watchpost/contract'
import { telemetryDay } from '@watchpost/store'
import type { Archive } from './archive.ts'
import { msOf, objectOfAttributes, unpackBody } from './block.ts'
import { SpanLines } from './span-block.ts'
import { readHead } from './span-head.ts'
import type { StoredSpan } from './span-line.ts'
import { traceKey } from './trace-index.ts'

/** Spans of one trace that are shown at most. */
const mostSpans = 50_000

/** Every span of a trace, in the order they began; undefined where there is none. */
export async function readTrace(archive: Archive, app_id: number, traceId: string): Promise<TraceSpan[] | undefined> {
  const key = traceKey(app_id, traceId)
  // A span that was sent again after a lost answer is one.
  const spans = new Map<string, StoredSpan>()
  for (const open of await archive.all()) {
    const ids = (await (await archive.index(open)).find([key])).get(key) ?? []
    if (ids.length === 0) continue
    const rows = await open.db.all(telemetryDay(open.day).contents, { app_id, ids: ids.slice(0, 1000) })
    for (const { head, body } of rows) {
      for (const span of spansOf(head, body, traceId)) if (!spans.has(span.spanId)) spans.set(span.spanId, span)
      if (spans.size > mostSpans) break
    }
  }
  if (spans.size === 0) return undefined
  const sorted = [...spans.values()].toSorted(byStart)
  return sorted.slice(0, mostSpans).map(spanView)
}

/** Of those that begin at once the root comes first. */
function byStart(a: StoredSpan, b: StoredSpan): number {
  return Number(BigInt(a.start) - BigInt(b.start)) || a.parentSpanId.length - b.parentSpanId.length
}

function spansOf(packedHead: Uint8Array, body: Uint8Array, traceId: string): StoredSpan[] {
  const head = readHead(packedHead)
  const places = head.spansOf(traceId)
  if (places.length === 0) return []
  const lines = new SpanLines(head, unpackBody(body))
  return Array.from(places, at => lines.read(at))
}

const kindNames = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer']
const statusNames = ['unset', 'ok', 'error']

export function spanView(span: StoredSpan): TraceSpan {
  return {
    span_id: span.spanId,
    parent_span_id: span.parentSpanId === '' ? null : span.parentSpanId,
    service: span.origin.resource.service,
    name: span.name,
    kind: kindNames[span.kind] ?? 'unspecified',
    started_at: isoOf(span.start),
    duration_ms: span.durationNs / 1e6,
    status: statusNames[span.status] ?? 'unset',
    status_message: span.statusMessage,
    attributes: objectOfAttributes(span.attributes),
    resource: objectOfAttributes(span.origin.resource.attributes),
    scope: { name: span.origin.scope.name, version: span.origin.scope.version },
    events: span.events.map(({ time, name, attributes }) => ({
      timestamp: isoOf(time),
      name,
      attributes: objectOfAttributes(attributes),
    })),
    links: span.links.map(({ traceId, spanId, attributes }) => ({
      trace_id: traceId,
      span_id: spanId,
      attributes: objectOfAttributes(attributes),
    })),
  }
}

/** Nanoseconds as the one shape of a time; one that is beyond all calendars as the last they have. */
export function isoOf(nanos: string): string {
  return new Date(Math.min(msOf(nanos), 8.64e15)).toISOString()
}
