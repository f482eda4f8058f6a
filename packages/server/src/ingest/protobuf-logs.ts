import type { Reader } from './protobuf.ts'
import { eachMessage, readAttribute, readValue } from './protobuf-common.ts'
import type { Batch, LogRecord, Origin } from './rows.ts'

/** Log records of an export request that was sent as protobuf. */
export function readProtobufLogs(reader: Reader): Batch<LogRecord> {
  const items: LogRecord[] = []
  eachMessage(reader, (_, origin) => items.push(readRecord(reader, origin)))
  return { items, rejected: 0, reason: '' }
}

export function readRecord(reader: Reader, origin: Origin): LogRecord {
  const record: LogRecord = {
    origin,
    time: '0',
    observed: '0',
    severity: 0,
    severityText: '',
    body: null,
    attributes: [],
    dropped: 0,
    flags: 0,
    traceId: '',
    spanId: '',
    eventName: '',
  }
  while (reader.next()) {
    switch (reader.field) {
      case 1:
        if (reader.is(1)) record.time = String(reader.fixed64())
        break
      case 2:
        if (reader.is(0)) record.severity = reader.int32()
        break
      case 3:
        if (reader.is(2)) record.severityText = reader.text()
        break
      case 5:
        if (reader.is(2)) record.body = readValue(reader, 1)
        break
      case 6:
        if (reader.is(2)) readAttribute(reader, record.attributes)
        break
      case 7:
        if (reader.is(0)) record.dropped = reader.uint32()
        break
      case 8:
        if (reader.is(5)) record.flags = reader.fixed32()
        break
      case 9:
        if (reader.is(2)) record.traceId = reader.hex()
        break
      case 10:
        if (reader.is(2)) record.spanId = reader.hex()
        break
      case 11:
        if (reader.is(1)) record.observed = String(reader.fixed64())
        break
      case 12:
        if (reader.is(2)) record.eventName = reader.text()
        break
      default:
        reader.skip()
    }
  }
  if (record.time === '0') record.time = record.observed
  return record
}
