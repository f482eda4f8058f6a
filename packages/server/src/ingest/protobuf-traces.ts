import { keepValid } from './otlp-traces.ts'
import type { Reader } from './protobuf.ts'
import { eachMessage, readAttribute } from './protobuf-common.ts'
import type { Batch, Origin, Span, SpanEvent, SpanLink } from './rows.ts'

/** Spans of an export request that was sent as protobuf. */
export function readProtobufTraces(reader: Reader): Batch<Span> {
  const spans: Span[] = []
  eachMessage(reader, (_, origin) => spans.push(readSpan(reader, origin)))
  return keepValid(spans)
}

export function readSpan(reader: Reader, origin: Origin): Span {
  const span: Span = {
    origin,
    traceId: '',
    spanId: '',
    parentSpanId: '',
    traceState: '',
    flags: 0,
    name: '',
    kind: 0,
    start: '0',
    end: '0',
    status: 0,
    statusMessage: '',
    attributes: [],
    events: [],
    links: [],
    dropped: [0, 0, 0],
  }
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        if (reader.is(2)) span.traceId = reader.hex()
        break
      case 2:
        if (reader.is(2)) span.spanId = reader.hex()
        break
      case 3:
        if (reader.is(2)) span.traceState = reader.text()
        break
      case 4:
        if (reader.is(2)) span.parentSpanId = reader.hex()
        break
      case 5:
        if (reader.is(2)) span.name = reader.text()
        break
      case 6:
        if (reader.is(0)) span.kind = reader.int32()
        break
      case 7:
        if (reader.is(1)) span.start = String(reader.fixed64())
        break
      case 8:
        if (reader.is(1)) span.end = String(reader.fixed64())
        break
      case 9:
        if (reader.is(2)) readAttribute(reader, span.attributes)
        break
      case 10:
        if (reader.is(0)) span.dropped[0] = reader.uint32()
        break
      case 11:
        if (reader.is(2)) reader.item(() => span.events.push(readEvent(reader)))
        break
      case 12:
        if (reader.is(0)) span.dropped[1] = reader.uint32()
        break
      case 13:
        if (reader.is(2)) reader.item(() => span.links.push(readLink(reader)))
        break
      case 14:
        if (reader.is(0)) span.dropped[2] = reader.uint32()
        break
      case 15:
        if (reader.is(2)) readStatus(reader, span)
        break
      case 16:
        if (reader.is(5)) span.flags = reader.fixed32()
        break
      default:
        reader.skip()
    }
  }
  return span
}

function readStatus(reader: Reader, span: Span): void {
  reader.message(() => {
    while (reader.next()) {
      if (reader.field === 2 && reader.is(2)) span.statusMessage = reader.text()
      else if (reader.field === 3 && reader.is(0)) span.status = reader.int32()
      else if (reader.field === 1 || reader.field > 3) reader.skip()
    }
  })
}

function readEvent(reader: Reader): SpanEvent {
  const event: SpanEvent = { time: '0', name: '', attributes: [], dropped: 0 }
  while (reader.next()) {
    if (reader.field === 1 && reader.is(1)) event.time = String(reader.fixed64())
    else if (reader.field === 2 && reader.is(2)) event.name = reader.text()
    else if (reader.field === 3 && reader.is(2)) readAttribute(reader, event.attributes)
    else if (reader.field === 4 && reader.is(0)) event.dropped = reader.uint32()
    else if (reader.field > 4) reader.skip()
  }
  return event
}

function readLink(reader: Reader): SpanLink {
  const link: SpanLink = { traceId: '', spanId: '', traceState: '', attributes: [], dropped: 0, flags: 0 }
  while (reader.next()) {
    if (reader.field === 1 && reader.is(2)) link.traceId = reader.hex()
    else if (reader.field === 2 && reader.is(2)) link.spanId = reader.hex()
    else if (reader.field === 3 && reader.is(2)) link.traceState = reader.text()
    else if (reader.field === 4 && reader.is(2)) readAttribute(reader, link.attributes)
    else if (reader.field === 5 && reader.is(0)) link.dropped = reader.uint32()
    else if (reader.field === 6 && reader.is(5)) link.flags = reader.fixed32()
    else if (reader.field > 6) reader.skip()
  }
  return link
}
