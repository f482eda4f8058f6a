import type { Attributes, Origin, Span, SpanEvent, SpanLink } from '../ingest/rows.ts'
import { type Block, kinds, msOf, nanosBetween, Origins, packLines, Services } from './block.ts'
import { addAttributes, Bloom } from './bloom.ts'
import { SpanHead } from './span-head.ts'

/** A span as a line of a body; what is at the end and says nothing is left out. */
type Line = [
  traceId: string,
  spanId: string,
  parentSpanId: string,
  origin: number,
  name: string,
  kind: number,
  start: string,
  durationNs: number,
  status: number,
  statusMessage: string,
  attributes: Attributes,
  events?: SpanEvent[] | 0,
  links?: SpanLink[] | 0,
  flags?: number,
  traceState?: string,
  dropped?: [number, number, number],
]

export interface StoredSpan {
  traceId: string
  spanId: string
  parentSpanId: string
  origin: Origin
  name: string
  kind: number
  start: string
  durationNs: number
  status: number
  statusMessage: string
  attributes: Attributes
  events: SpanEvent[]
  links: SpanLink[]
  flags: number
  traceState: string
  dropped: [number, number, number]
}

/** Puts spans of one app into a block. */
export function packSpans(spans: readonly Span[]): Block {
  const origins = new Origins()
  const services = new Services()
  const bloom = Bloom.of(spans.length)
  const head = new SpanHead(spans.length)
  const lines: string[] = new Array(spans.length)
  for (let at = 0; at < spans.length; at++) {
    const span = spans[at] as Span
    const startMs = msOf(span.start)
    const durationNs = Math.max(0, nanosBetween(span.start, span.end))
    const isError = span.status === 2
    const service = services.count(span.origin.resource.service, isError, startMs)
    head.set(at, span, startMs, durationNs / 1e6, service)
    addAttributes(bloom, span.attributes)
    lines[at] = lineOf(span, origins.placeOf(span.origin), durationNs)
  }
  for (const { resource } of origins.all) addAttributes(bloom, resource.attributes)
  return {
    kind: kinds.spans,
    items: spans.length,
    first_at: Math.floor(head.first),
    last_at: Math.ceil(head.last),
    services: services.toString(),
    head: head.pack(services.names),
    bloom: bloom.bytes,
    body: packLines(origins, lines),
  }
}

function lineOf(span: Span, origin: number, durationNs: number): string {
  const { events, links, flags, traceState, dropped } = span
  const line: unknown[] = [
    span.traceId,
    span.spanId,
    span.parentSpanId,
    origin,
    span.name,
    span.kind,
    span.start,
    durationNs,
    span.status,
    span.statusMessage,
    span.attributes,
  ]
  const odd = traceState !== '' || dropped[0] + dropped[1] + dropped[2] > 0
  if (events.length > 0 || links.length > 0 || flags !== 0 || odd) {
    line.push(events.length === 0 ? 0 : events, links.length === 0 ? 0 : links, flags)
    if (odd) line.push(traceState, dropped)
  }
  return JSON.stringify(line)
}

/** Reads the spans of a body that `wanted` says: by their place in the block. */
export function readSpans(body: Buffer, wanted: Iterable<number>): StoredSpan[] {
  const lines = body.toString('utf8').split('\n')
  const origins: Origin[] = JSON.parse(lines[0] as string)
  const spans: StoredSpan[] = []
  for (const place of wanted) spans.push(spanOf(JSON.parse(lines[place + 1] as string), origins))
  return spans
}

function spanOf(line: Line, origins: Origin[]): StoredSpan {
  const [traceId, spanId, parentSpanId, origin, name, kind, start, durationNs, status, statusMessage, attributes] = line
  const [events, links, flags = 0, traceState = '', dropped = [0, 0, 0]] = line.slice(11) as [
    Line[11],
    Line[12],
    Line[13],
    Line[14],
    Line[15],
  ]
  return {
    traceId,
    spanId,
    parentSpanId,
    origin: origins[origin] as Origin,
    name,
    kind,
    start,
    durationNs,
    status,
    statusMessage,
    attributes,
    events: events || [],
    links: links || [],
    flags,
    traceState,
    dropped,
  }
}
