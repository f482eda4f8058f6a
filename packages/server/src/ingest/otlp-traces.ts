import {
  attributesOf,
  eachItem,
  idOf,
  integerOf,
  type Json,
  listOf,
  messageOf,
  objectOf,
  textOf,
  unsignedOf,
} from './json.ts'
import { type Batch, type Origin, type Span, type SpanEvent, type SpanLink, validSpanId, validTraceId } from './rows.ts'

const names = { resources: 'resourceSpans', scopes: 'scopeSpans', items: 'spans' }

/** Spans of an export request that was sent as JSON. */
export function readTraces(body: Json): Batch<Span> {
  const spans: Span[] = []
  eachItem(body, names, (item, origin) => spans.push(spanOf(item, origin)))
  return keepValid(spans)
}

/** Leaves out spans that no trace could show. */
export function keepValid(spans: Span[]): Batch<Span> {
  const items = spans.filter(span => validTraceId(span.traceId) && validSpanId(span.spanId))
  const rejected = spans.length - items.length
  return { items, rejected, reason: rejected === 0 ? '' : 'A trace id has 16 bytes and a span id 8, not all zero' }
}

const noEvents: SpanEvent[] = []
const noLinks: SpanLink[] = []

export function spanOf(item: Json, origin: Origin): Span {
  const status = messageOf(item.status, 'status')
  const events = listOf(item.events, 'events')
  const links = listOf(item.links, 'links')
  return {
    origin,
    traceId: idOf(item.traceId, 'traceId'),
    spanId: idOf(item.spanId, 'spanId'),
    parentSpanId: idOf(item.parentSpanId, 'parentSpanId'),
    traceState: textOf(item.traceState, 'traceState'),
    flags: integerOf(item.flags, 'flags'),
    name: textOf(item.name, 'name'),
    kind: integerOf(item.kind, 'kind'),
    start: unsignedOf(item.startTimeUnixNano, 'startTimeUnixNano'),
    end: unsignedOf(item.endTimeUnixNano, 'endTimeUnixNano'),
    status: integerOf(status.code, 'status.code'),
    statusMessage: textOf(status.message, 'status.message'),
    attributes: attributesOf(item.attributes),
    events: events.length === 0 ? noEvents : events.map(eventOf),
    links: links.length === 0 ? noLinks : links.map(linkOf),
    dropped: [
      integerOf(item.droppedAttributesCount, 'droppedAttributesCount'),
      integerOf(item.droppedEventsCount, 'droppedEventsCount'),
      integerOf(item.droppedLinksCount, 'droppedLinksCount'),
    ],
  }
}

function eventOf(value: unknown): SpanEvent {
  const event = objectOf(value, 'an event')
  return {
    time: unsignedOf(event.timeUnixNano, 'timeUnixNano'),
    name: textOf(event.name, 'name'),
    attributes: attributesOf(event.attributes),
    dropped: integerOf(event.droppedAttributesCount, 'droppedAttributesCount'),
  }
}

function linkOf(value: unknown): SpanLink {
  const link = objectOf(value, 'a link')
  return {
    traceId: idOf(link.traceId, 'traceId'),
    spanId: idOf(link.spanId, 'spanId'),
    traceState: textOf(link.traceState, 'traceState'),
    attributes: attributesOf(link.attributes),
    dropped: integerOf(link.droppedAttributesCount, 'droppedAttributesCount'),
    flags: integerOf(link.flags, 'flags'),
  }
}
