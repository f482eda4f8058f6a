import { itemBody, type TraceSpan } from '@watchpost/contract'
import { telemetryDay } from '@watchpost/store'
import { entityTag } from '../http/etag.ts'
import type { Origin } from '../ingest/rows.ts'
import type { Archive } from './archive.ts'
import { objectOfAttributes, unpackBody, wholeMsOf } from './block.ts'
import { Budget } from './slices.ts'
import { SpanLines } from './span-block.ts'
import { readHead } from './span-head.ts'
import type { StoredSpan } from './span-line.ts'
import { traceKey } from './trace-index.ts'

/** Of one trace that are shown at most: spans, and bytes of what is said of them and of who sent them. */
const mostSpans = 50_000
const mostText = 16_777_216
/** How long one trace may be read, and blocks that are read at once: each may be large. */
const readMs = 2000
const blocksAtOnce = 4
const mostBlocks = 1000

/** Spans of a trace, in the order they began. */
export interface WholeTrace {
  spans: TraceSpan[]
  /** False where there are more than one answer may hold. */
  complete: boolean
}

/** An answer as it is sent. */
export interface Written {
  body: Uint8Array<ArrayBuffer>
  tag: string
}

/** The answer, written here: it may have tens of megabytes, for which the thread that answers everybody has no time. */
export async function writeTrace(archive: Archive, app_id: number, traceId: string): Promise<Written | undefined> {
  const trace = await readTrace(archive, app_id, traceId)
  if (trace === undefined) return undefined
  const text = JSON.stringify(itemBody({ trace_id: traceId, ...trace }))
  return { body: new Uint8Array(Buffer.from(text)), tag: entityTag(text) }
}

/** Undefined where there is none. */
export async function readTrace(archive: Archive, app_id: number, traceId: string): Promise<WholeTrace | undefined> {
  const key = traceKey(app_id, traceId)
  const gathered = new Gathered(traceId)
  for (const open of await archive.all()) {
    const ids = (await (await archive.index(open)).find([key])).get(key) ?? []
    if (ids.length > mostBlocks) gathered.complete = false
    for (let at = 0; at < Math.min(ids.length, mostBlocks) && gathered.hasRoom(); at += blocksAtOnce) {
      const some = ids.slice(at, Math.min(at + blocksAtOnce, mostBlocks))
      for (const { head, body } of await open.db.all(telemetryDay(open.day).contents, { app_id, ids: some })) {
        gathered.add(head, body)
      }
    }
  }
  const { spans, complete } = gathered
  if (spans.size === 0) return undefined
  return { spans: [...spans.values()].toSorted(byStart).map(spanView), complete }
}

/** Of those that begin at once the root comes first. */
function byStart(a: StoredSpan, b: StoredSpan): number {
  return Number(BigInt(a.start) - BigInt(b.start)) || a.parentSpanId.length - b.parentSpanId.length
}

/** What was found of a trace, as long as there is room: each span says again who sent it, and that may be long. */
class Gathered {
  /** A span that was sent again after a lost answer is one. */
  readonly spans = new Map<string, StoredSpan>()
  complete = true
  private readonly traceId: string
  private readonly budget = new Budget(readMs)
  private text = 0

  constructor(traceId: string) {
    this.traceId = traceId
  }

  /** Asked only where there is more. */
  hasRoom(): boolean {
    if (this.spans.size >= mostSpans || this.text > mostText || this.budget.isSpent()) this.complete = false
    return this.complete
  }

  add(packedHead: Uint8Array, body: Uint8Array): void {
    const head = readHead(packedHead)
    const places = head.spansOf(this.traceId)
    if (places.length === 0) return
    const lines = new SpanLines(head, unpackBody(body))
    const ofSender = lines.origins.map(origin => JSON.stringify(origin).length)
    for (const at of places) {
      if (!this.hasRoom()) return
      this.text += lines.line(at).length + (ofSender[head.origin[at] as number] ?? 0)
      const span = lines.read(at)
      if (!this.spans.has(span.spanId)) this.spans.set(span.spanId, span)
    }
  }
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
    start_time_unix_nano: span.start,
    end_time_unix_nano: String(BigInt(span.start) + BigInt(span.durationNs)),
    status: statusNames[span.status] ?? 'unset',
    status_message: span.statusMessage,
    trace_state: span.traceState,
    flags: span.flags,
    attributes: objectOfAttributes(span.attributes),
    ...senderView(span.origin),
    events: span.events.map(({ time, name, attributes, dropped }) => ({
      timestamp: isoOf(time),
      time_unix_nano: time,
      name,
      attributes: objectOfAttributes(attributes),
      dropped_attributes_count: dropped,
    })),
    links: span.links.map(({ traceId, spanId, traceState, flags, attributes, dropped }) => ({
      trace_id: traceId,
      span_id: spanId,
      trace_state: traceState,
      flags,
      attributes: objectOfAttributes(attributes),
      dropped_attributes_count: dropped,
    })),
    dropped_attributes_count: span.dropped[0],
    dropped_events_count: span.dropped[1],
    dropped_links_count: span.dropped[2],
  }
}

type SenderView = Pick<TraceSpan, 'resource' | 'resource_schema_url' | 'resource_dropped_attributes_count' | 'scope'>

/** The same object for all items of a sender: as such it goes to the other thread once. */
const views = new WeakMap<Origin, SenderView>()

/** Who sent an item, and the library that made it. */
export function senderView(origin: Origin): SenderView {
  let view = views.get(origin)
  if (view === undefined) {
    const { resource, scope } = origin
    view = {
      resource: objectOfAttributes(resource.attributes),
      resource_schema_url: resource.schemaUrl,
      resource_dropped_attributes_count: resource.dropped,
      scope: {
        name: scope.name,
        version: scope.version,
        attributes: objectOfAttributes(scope.attributes),
        schema_url: scope.schemaUrl,
        dropped_attributes_count: scope.dropped,
      },
    }
    views.set(origin, view)
  }
  return view
}

/** Nanoseconds as the one shape of a time; one that is beyond all calendars as the last they have. */
export function isoOf(nanos: string): string {
  return new Date(Math.min(wholeMsOf(nanos), 8.64e15)).toISOString()
}
