import type { Attributes, Origin, Span, SpanEvent, SpanLink } from '../ingest/rows.ts'

/** A span as a line of a body; what is at the end and says nothing is left out. Its sender is in the head. */
type Line = [
  traceId: string,
  spanId: string,
  parentSpanId: string,
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

export function lineOf(span: Span, durationNs: number): string {
  const { events, links, flags, traceState, dropped } = span
  const line: unknown[] = [
    span.traceId,
    span.spanId,
    span.parentSpanId,
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

export function readLine(text: string, origin: Origin): StoredSpan {
  const line = JSON.parse(text) as Line
  const [traceId, spanId, parentSpanId, name, kind, start, durationNs, status, statusMessage, attributes] = line
  const span = {
    traceId,
    spanId,
    parentSpanId,
    origin,
    name,
    kind,
    start,
    durationNs,
    status,
    statusMessage,
    attributes,
  }
  const [flags = 0, traceState = '', dropped = [0, 0, 0]] = line.slice(12) as [number?, string?, Span['dropped']?]
  return { ...span, events: line[10] || [], links: line[11] || [], flags, traceState, dropped }
}

/** Bits of a span's marks. */
export const statusBits = 3
export const rootBit = 4

export const markOf = ({ status, parentSpanId }: Pick<Span, 'status' | 'parentSpanId'>): number =>
  (status & statusBits) | (parentSpanId === '' ? rootBit : 0)
